-- By what a group is looked for, beside its id: its contract, and the hash of what makes it.
ALTER TABLE privacy_group
  ADD COLUMN contract text,
  ADD COLUMN deployment bytea,
  ADD COLUMN awaited boolean NOT NULL DEFAULT false;
CREATE INDEX privacy_group_contract ON privacy_group (contract);
CREATE INDEX privacy_group_deployment ON privacy_group (deployment);
-- Few, and counted with each group that another node gives.
CREATE INDEX privacy_group_awaited ON privacy_group (id) WHERE awaited;
