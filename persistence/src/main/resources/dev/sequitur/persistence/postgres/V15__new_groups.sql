-- What makes a group has neither a contract that it waits for nor a key that signs it.
CREATE INDEX intent_new_group_pending ON intent (position) WHERE pending AND contract IS NULL AND sender IS NULL;
