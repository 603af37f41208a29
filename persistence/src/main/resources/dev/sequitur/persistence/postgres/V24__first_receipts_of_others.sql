-- By its id another's receipt is found in each group: that of the sender who was the first there, however many use the id after it, there or
-- elsewhere.
ALTER TABLE receipt ADD COLUMN contract text;
ALTER TABLE receipt ADD COLUMN first boolean NOT NULL DEFAULT false;
CREATE INDEX receipt_first_of_others ON receipt (transaction, contract) WHERE first;
