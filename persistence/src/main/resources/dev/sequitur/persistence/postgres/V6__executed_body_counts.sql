-- Up to which of its executions a queue's bodies are there: a queue that knows of more has lost some.
CREATE TABLE executed_body_count (
  queue text PRIMARY KEY,
  up_to bigint NOT NULL
);
