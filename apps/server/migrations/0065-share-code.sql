-- The code that opens a link is not derivable from SECRET_KEY and the database (decision 69): a random part of its hash is
-- sealed for the processes that run.
alter table share add column code_sealed jsonb not null default '{}';
