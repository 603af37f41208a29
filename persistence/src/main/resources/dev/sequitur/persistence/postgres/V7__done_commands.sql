-- The commands that each schedule queue has done and no longer keeps in memory, until they are forgotten.
CREATE TABLE done_command (
  queue text NOT NULL,
  id bytea NOT NULL,
  number bigint NOT NULL,
  done_at bigint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (queue, id)
);
CREATE UNIQUE INDEX done_command_number ON done_command (queue, number);
-- Up to which of its commands a queue's are there: a queue that knows of more has lost some.
CREATE TABLE done_command_count (
  queue text PRIMARY KEY,
  up_to bigint NOT NULL
);
