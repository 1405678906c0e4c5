-- Who moved a membership last, and the version that a change names.
alter table membership add column version int not null default 0;
alter table membership add column operator_id uuid references users;
create index membership_by_institution on membership (institution_id, state);

-- The way into an organisation: an invitation to an address, or a user's application. It ends, and a membership begins.
create table admission (
  institution_id uuid not null references institution,
  id uuid not null unique,
  kind text not null check (kind in ('invitation', 'application')),
  state text not null check (state in
    ('not_reviewed', 'awaiting_confirmation', 'normal', 'rejected', 'confirmed', 'cancelled', 'expired')),
  -- The applicant; of an invitation, whoever answered it.
  user_id uuid references users,
  email text,
  name text not null default '',
  remark text,
  -- 0: chosen when an application is agreed to.
  authority_id int not null,
  -- Of the newest letter; an older letter's secret is gone.
  secret_hash text unique,
  inviter_id uuid references users,
  operator_id uuid references users,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  sent int not null default 0,
  expires_at timestamptz,
  ended_at timestamptz,
  version int not null default 0,
  primary key (institution_id, id),
  check ((kind = 'invitation') = (email is not null and secret_hash is not null and expires_at is not null)),
  check (kind = 'invitation' or user_id is not null),
  check ((state in ('not_reviewed', 'awaiting_confirmation')) = (ended_at is null))
);
create unique index admission_invited on admission (institution_id, email) where state = 'awaiting_confirmation';
create unique index admission_applied on admission (institution_id, user_id) where state = 'not_reviewed';
create index admission_lapsing on admission (expires_at) where state = 'awaiting_confirmation';
create index admission_by_email on admission (email) where email is not null;
create index admission_by_user on admission (user_id) where user_id is not null;
-- An invited person sees what was sent to an address of theirs. Only the service writes, after it has decided.
select arcada_wall('admission', 'institution_id = arcada_iid() or user_id = arcada_uid()
  or email in (select value from contact where kind = ''email'' and user_id = arcada_uid())', 'select');
