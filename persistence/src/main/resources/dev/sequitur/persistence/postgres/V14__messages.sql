-- Messages between members of a group: numbered here in the order in which they came, and by their sender.
CREATE TABLE message (
  sequence bigint PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  contract text NOT NULL,
  sender text NOT NULL,
  number bigint NOT NULL,
  content bytea NOT NULL,
  UNIQUE (contract, sender, number)
);
-- What is told of messages has names of its own.
CREATE TABLE message_listener (
  name_hash bytea PRIMARY KEY,
  content bytea NOT NULL
);
