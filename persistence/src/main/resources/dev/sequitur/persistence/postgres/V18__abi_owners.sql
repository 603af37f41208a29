-- Descriptions of contracts are their owners': the hash is over both, and what was left here before was nobody's.
DELETE FROM abi;
ALTER TABLE abi ADD COLUMN owner text NOT NULL;
CREATE INDEX abi_owner ON abi (owner);
