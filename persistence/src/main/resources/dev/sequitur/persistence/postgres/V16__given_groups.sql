-- Whose node has given a group that waits for its contract, and the place of one that was withdrawn among those of
-- its giver.
ALTER TABLE privacy_group
  ADD COLUMN giver text,
  ADD COLUMN withdrawn bigint;
DROP INDEX privacy_group_awaited;
CREATE INDEX privacy_group_awaited ON privacy_group (giver) WHERE awaited;
CREATE INDEX privacy_group_withdrawn ON privacy_group (giver, withdrawn) WHERE withdrawn IS NOT NULL;
