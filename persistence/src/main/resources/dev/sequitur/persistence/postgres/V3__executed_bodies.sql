-- Which bodies each schedule queue has executed: never again, so nothing is ever removed.
CREATE TABLE executed_body (
  queue text NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (queue, body)
);
