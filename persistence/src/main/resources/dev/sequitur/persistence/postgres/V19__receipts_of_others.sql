-- What other nodes have sent gets receipts too: of these the sender's commitment is part of what they are of. Whether a
-- receipt is a confirmation is nowhere asked any more without its content.
ALTER TABLE receipt ADD COLUMN commitment bytea;
CREATE UNIQUE INDEX receipt_of_others ON receipt (transaction, commitment) WHERE commitment IS NOT NULL;
ALTER TABLE receipt DROP COLUMN confirmed;
