-- A public transaction has no contract that it waits for, but a key that signs it.
ALTER TABLE intent ALTER COLUMN contract DROP NOT NULL;
ALTER TABLE intent ADD COLUMN sender text;
CREATE INDEX intent_public_pending ON intent (sender, position) WHERE pending AND sender IS NOT NULL;
