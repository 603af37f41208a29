-- What a node keeps beside its journal, as one ordered map: keys are those of a LevelDB, byte by byte, and so is what
-- stands under them.
CREATE TABLE entry (
  key bytea PRIMARY KEY,
  value bytea NOT NULL
);

-- One row: whose schema this is, the JVMs that may write, and those that have opened it and are not members of the
-- node's cluster yet, the last to come at the end. Whoever was left out is in neither. Each write of the node store
-- locks it, so that those of all JVMs are one after another, and who is not in it any more can store nothing.
CREATE TABLE node (
  name text PRIMARY KEY,
  keys bytea NOT NULL,
  jvms text[] NOT NULL DEFAULT '{}',
  starting text[] NOT NULL DEFAULT '{}'
);

-- In which format all of it is laid out, in one row; whoever makes the schema writes it.
CREATE TABLE disk_format (format integer NOT NULL);
INSERT INTO disk_format VALUES (1);

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
