-- The states of actors that are too large for one row: one piece a row, and which of the actor's
-- events they contain.
CREATE TABLE cell_version (
  stream text PRIMARY KEY,
  version bigint NOT NULL
);

CREATE TABLE cell (
  stream text NOT NULL,
  key bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (stream, key)
);
