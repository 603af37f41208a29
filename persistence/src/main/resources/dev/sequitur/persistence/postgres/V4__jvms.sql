-- The JVMs that may write to the node store, in the row that every write locks: who is not in it any
-- more, because the others have left it out, can store nothing.
ALTER TABLE node ADD COLUMN jvms text[] NOT NULL DEFAULT '{}';
