-- The JVMs that have opened the node store and are not members of the node's cluster yet, the last to come at
-- the end: only they may become some of node.jvms. Whoever was left out is in neither.
ALTER TABLE node ADD COLUMN starting text[] NOT NULL DEFAULT '{}';
