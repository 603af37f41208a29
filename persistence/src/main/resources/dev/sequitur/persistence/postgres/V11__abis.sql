-- The descriptions of contracts that callers have left here.
CREATE TABLE abi (
  hash bytea PRIMARY KEY,
  content bytea NOT NULL
);
