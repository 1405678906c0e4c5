-- What a record brought along when it was joined with that of an account: should it have been the wrong account, that
-- much goes back.
create table clinic_join (
  id uuid primary key,
  -- The account's record.
  clinic_id uuid not null references clinic,
  -- The other one as it was, and what the account's record said before where it says the other's words now.
  record jsonb not null,
  before jsonb not null,
  devices uuid[] not null,
  work_orders uuid[] not null,
  -- Machines that were to be moved to it.
  destinations uuid[] not null,
  feedback uuid[] not null,
  joined_by uuid not null references users,
  joined_at timestamptz not null default now(),
  parted_by uuid references users,
  parted_at timestamptz,
  check ((parted_by is null) = (parted_at is null))
);
create index clinic_join_by_clinic on clinic_join (clinic_id) where parted_at is null;
select arcada_wall('clinic_join', 'arcada_service()', 'select, insert, update');
