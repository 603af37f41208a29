-- What another node has sent may have several receipts: the ledger was reorganised, and the last one holds.
DROP INDEX receipt_of_others;
CREATE INDEX receipt_of_others ON receipt (transaction, commitment, sequence) WHERE commitment IS NOT NULL;
