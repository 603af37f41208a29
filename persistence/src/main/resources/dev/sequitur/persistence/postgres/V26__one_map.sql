-- What a node keeps, its journal and snapshots among it, as one ordered map: keys are those of a LevelDB, byte by byte,
-- and so is what stands under them.
CREATE TABLE entry (
  key bytea PRIMARY KEY,
  value bytea NOT NULL
);

-- One row: whose schema this is, the JVMs that may write, and those that have opened it and are not members of the
-- node's cluster yet, the last to come at the end. Whoever was left out is in neither, and can store nothing. All of
-- them have so many shards of each kind of entity.
CREATE TABLE node (
  name text PRIMARY KEY,
  keys bytea NOT NULL,
  shards integer NOT NULL DEFAULT 128,
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

-- What who writes shares, and who leaves that JVM out takes alone.
CREATE FUNCTION writing_lock(jvm text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT hashtextextended('sequitur writes ' || current_schema() || ' ' || jvm, 0)
$$;

-- Whether a JVM may write to the node store until the transaction ends. Not in one query: what it reads is what whoever
-- held the lock alone has left.
CREATE FUNCTION may_write(jvm text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(writing_lock(jvm));
  RETURN (SELECT jvm = ANY (jvms) FROM node);
END $$;

-- Ends the transaction of who may not write.
CREATE FUNCTION let_pass(may boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF may THEN
    RETURN may;
  END IF;
  RAISE EXCEPTION 'this JVM may not write' USING ERRCODE = 'SQ001';
END $$;

-- Eight bytes as a number that is zero or more.
CREATE FUNCTION number_of(bytes bytea) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT ('x' || encode(bytes, 'hex'))::bit(64)::bigint
$$;

-- A key whose number a JVM did not know, with the right one: form 1 ends with a number that is off.
CREATE FUNCTION numbered_key(key bytea, form integer, off bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN form & 1 = 0 THEN key
    ELSE substr(key, 1, length(key) - 8) || int8send(number_of(substr(key, length(key) - 7)) + off) END
$$;

-- Likewise a value: form 2 begins with a number that is off, form 4 with a time that is not to be before another.
CREATE FUNCTION numbered_value(value bytea, form integer, off bigint, since bytea) RETURNS bytea LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    WHEN form & 2 <> 0 THEN int8send(number_of(substr(value, 1, 8)) + off) || substr(value, 9)
    WHEN form & 4 <> 0 THEN greatest(substr(value, 1, 12), since) || substr(value, 13)
    ELSE value END
$$;
