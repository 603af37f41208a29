-- When the last intent was accepted, as text, since a database counts no nanoseconds: none that follows it is dated
-- before it.
ALTER TABLE node ADD COLUMN last_created text NOT NULL DEFAULT '1970-01-01T00:00:00Z';
