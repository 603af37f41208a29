-- What a node keeps, its journal and snapshots among it, as one ordered map: keys are those of a LevelDB, byte by byte,
-- and so is what stands under them.
CREATE TABLE entry (
  key bytea PRIMARY KEY,
  value bytea NOT NULL
);

-- One row: whose schema this is, the JVMs that may write, and those that have opened it and are not members of the
-- node's cluster yet, the last to come at the end. Whoever was left out is in neither. Each write of the node store
-- locks it, so that those of all JVMs are one after another, and who is not in it any more can store nothing.
CREATE TABLE node (
  name text PRIMARY KEY,
  keys bytea NOT NULL,
  jvms text[] NOT NULL DEFAULT '{}',
  starting text[] NOT NULL DEFAULT '{}'
);

-- In which format all of it is laid out, in one row; whoever makes the schema writes it.
CREATE TABLE disk_format (format integer NOT NULL);
INSERT INTO disk_format VALUES (1);

-- Who decides when the JVMs of the node have lost sight of each other.
CREATE TABLE lease (
  name text PRIMARY KEY,
  owner text NOT NULL,
  until timestamptz NOT NULL
);

-- Ends a transaction that has found what it had read changed by another one.
CREATE FUNCTION refuse_unless(same boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF same THEN
    RETURN same;
  END IF;
  RAISE EXCEPTION 'what was read has changed since' USING ERRCODE = 'serialization_failure';
END $$;
