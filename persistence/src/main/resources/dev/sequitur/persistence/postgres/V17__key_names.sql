-- Keys of several owners may have one name: the hash of a key is over both, and by this one all of a name are found.
ALTER TABLE intent ADD COLUMN key_name bytea;
CREATE INDEX intent_key_name ON intent (key_name, position) WHERE key_name IS NOT NULL;
