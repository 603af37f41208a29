-- The node store. One row of node for all counters: whoever writes locks it, so that the writes of
-- all JVMs of the node are one after another.
CREATE TABLE node (
  name text PRIMARY KEY,
  keys bytea NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  last_sequence bigint NOT NULL DEFAULT 0,
  indexed_to bytea
);

-- Contents are the node store's own encoding; the other columns are what is searched by. Texts that
-- a caller chooses are looked up by their SHA-256, since they may be long or no valid text here.
CREATE TABLE intent (
  position bigint PRIMARY KEY,
  transaction uuid NOT NULL UNIQUE,
  contract text NOT NULL,
  key_hash bytea UNIQUE,
  body_hash bytea NOT NULL,
  content bytea NOT NULL,
  pending boolean NOT NULL
);
CREATE INDEX intent_pending ON intent (contract, position) WHERE pending;

CREATE TABLE receipt (
  sequence bigint PRIMARY KEY,
  transaction uuid NOT NULL,
  confirmed boolean NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX receipt_transaction ON receipt (transaction, sequence);
-- Few, and asked for with every block.
CREATE INDEX receipt_reverted ON receipt (transaction) WHERE NOT confirmed;

CREATE TABLE listener (
  name_hash bytea PRIMARY KEY,
  content bytea NOT NULL
);

CREATE TABLE privacy_group (
  id bytea PRIMARY KEY,
  content bytea NOT NULL
);

CREATE TABLE prepared (
  transaction uuid PRIMARY KEY,
  content bytea NOT NULL
);

CREATE TABLE state (
  contract text NOT NULL,
  id bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (contract, id)
);

-- Who decides when the JVMs of the node have lost sight of each other.
CREATE TABLE lease (
  name text PRIMARY KEY,
  owner text NOT NULL,
  until timestamptz NOT NULL
);

-- Journal and snapshots, as akka-persistence-jdbc 5.2 has them. That a persistence id has each
-- sequence number once is what keeps two incarnations of an entity from both writing.
CREATE TABLE event_journal (
  ordering bigserial,
  persistence_id varchar(255) NOT NULL,
  sequence_number bigint NOT NULL,
  deleted boolean DEFAULT false NOT NULL,
  writer varchar(255) NOT NULL,
  write_timestamp bigint,
  adapter_manifest varchar(255),
  event_ser_id integer NOT NULL,
  event_ser_manifest varchar(255) NOT NULL,
  event_payload bytea NOT NULL,
  meta_ser_id integer,
  meta_ser_manifest varchar(255),
  meta_payload bytea,
  PRIMARY KEY (persistence_id, sequence_number)
);
CREATE UNIQUE INDEX event_journal_ordering_idx ON event_journal (ordering);

CREATE TABLE event_tag (
  event_id bigint,
  tag varchar(256),
  PRIMARY KEY (event_id, tag),
  CONSTRAINT fk_event_journal FOREIGN KEY (event_id)
    REFERENCES event_journal (ordering) ON DELETE CASCADE
);

CREATE TABLE snapshot (
  persistence_id varchar(255) NOT NULL,
  sequence_number bigint NOT NULL,
  created bigint NOT NULL,
  snapshot_ser_id integer NOT NULL,
  snapshot_ser_manifest varchar(255) NOT NULL,
  snapshot_payload bytea NOT NULL,
  meta_ser_id integer,
  meta_ser_manifest varchar(255),
  meta_payload bytea,
  PRIMARY KEY (persistence_id, sequence_number)
);
