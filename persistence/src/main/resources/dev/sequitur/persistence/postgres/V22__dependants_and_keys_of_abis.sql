-- What waits for a transaction is found from that one.
ALTER TABLE intent ADD COLUMN depends_on uuid[];
CREATE INDEX intent_dependant ON intent USING gin (depends_on) WHERE pending AND depends_on IS NOT NULL;
-- Descriptions of contracts are long, and found by what is not. Those of before have no key.
DELETE FROM abi;
ALTER TABLE abi ADD COLUMN key bytea NOT NULL;
