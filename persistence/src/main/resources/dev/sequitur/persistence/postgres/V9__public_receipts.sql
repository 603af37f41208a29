-- A public transaction is looked for by the nonce that it has used and by its hash on the base ledger; a private
-- one shares both with others.
ALTER TABLE receipt ADD COLUMN signer text;
ALTER TABLE receipt ADD COLUMN nonce bigint;
ALTER TABLE receipt ADD COLUMN ledger_hash bytea;
CREATE INDEX receipt_nonce ON receipt (signer, nonce) WHERE signer IS NOT NULL;
CREATE INDEX receipt_ledger_hash ON receipt (ledger_hash) WHERE ledger_hash IS NOT NULL;
CREATE INDEX intent_public ON intent (position) WHERE sender IS NOT NULL;
