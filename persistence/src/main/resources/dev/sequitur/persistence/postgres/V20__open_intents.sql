-- What has no receipt is read page by page, of all contracts and keys together.
CREATE INDEX intent_open ON intent (position) WHERE pending;
CREATE INDEX intent_public_open ON intent (position) WHERE pending AND sender IS NOT NULL;
