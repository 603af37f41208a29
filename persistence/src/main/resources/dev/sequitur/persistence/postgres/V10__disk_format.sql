-- In which format the values of the node are laid out, in one row. A schema that was there before has one of
-- those that were never released.
CREATE TABLE disk_format (format integer NOT NULL);
INSERT INTO disk_format VALUES (1);
