-- How many e-mails left to one address today because people of any organisation asked for them. Nobody is named:
-- `recipient` is a keyed hash of the address.
create table letter_count (
  day date not null,
  recipient text not null check (recipient ~ '^[0-9a-f]{64}$'),
  sent int not null check (sent > 0),
  primary key (day, recipient)
);
select arcada_wall('letter_count', 'false');

-- What one person founds in a day is counted at each founding.
create index institution_by_founder on institution (created_by, created_at);
-- What one person has not sent wholly is counted at each upload.
create index upload_open_of on upload (institution_id, user_id) where state = 'open' or (state = 'received' and bytes = 0);
