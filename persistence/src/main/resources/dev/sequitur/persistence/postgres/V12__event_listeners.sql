-- Listeners for what contracts of the base ledger tell, as the table listener has those for receipts.
CREATE TABLE event_listener (
  name_hash bytea PRIMARY KEY,
  content bytea NOT NULL
);
