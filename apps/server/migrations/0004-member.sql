-- Members of organisations, and how they join.

-- The right to work in an organisation. institution_id is null for roles of the whole platform.
create table membership (
  id uuid primary key,
  institution_id uuid references institution,
  user_id uuid not null references users,
  authority_id int not null,
  state text not null check (state in ('normal', 'deleted', 'exited')),
  joined_at timestamptz not null default now(),
  ended_at timestamptz,
  -- A change must name the version that it saw.
  version int not null default 0,
  -- Who made the last change.
  operator_id uuid references users,
  -- Since when the member lets programs of the organisation open Arcada in their name; null: not allowed.
  launch_allowed_at timestamptz,
  -- The licence number of a dentist, which a manager has checked; reports are signed with it.
  licence text check (length(licence) between 1 and 60)
);
create unique index membership_normal on membership (institution_id, user_id) where state = 'normal';
create index membership_by_user on membership (user_id) where state = 'normal';
create index membership_by_institution on membership (institution_id, state);
-- After-sales staff have one membership in the service.
create unique index membership_of_service on membership (user_id)
  where institution_id is null and state = 'normal' and authority_id in (700, 701);
select arcada_wall('membership', 'institution_id = arcada_iid() or user_id = arcada_uid()', 'select');

-- A session is valid as long as the membership that is active in it.
create trigger sessions_may_have_ended after update on membership for each row
  when (old.state = 'normal' and (old.state, old.authority_id, old.institution_id, old.user_id)
    is distinct from (new.state, new.authority_id, new.institution_id, new.user_id))
  execute function sessions_may_have_ended('user_id');
create trigger removed after delete on membership for each row when (old.state = 'normal')
  execute function sessions_may_have_ended('user_id');

-- An invitation to an address or an application by a user. When it is accepted, a membership begins.
create table admission (
  institution_id uuid not null references institution,
  id uuid not null unique,
  kind text not null check (kind in ('invitation', 'application')),
  state text not null check (state in
    ('not_reviewed', 'awaiting_confirmation', 'normal', 'rejected', 'confirmed', 'cancelled', 'expired')),
  -- The applicant or, for an invitation, the person who answered it.
  user_id uuid references users,
  email text,
  name text not null default '',
  remark text,
  -- 0: the role is chosen when the application is accepted.
  authority_id int not null,
  -- The secret of the newest email; secrets of older emails are no longer valid.
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
-- An invited person sees the invitations to their own address. The system alone writes, after it has checked the
-- request.
select arcada_wall('admission', 'institution_id = arcada_iid() or user_id = arcada_uid()
  or email in (select value from contact where kind = ''email'' and user_id = arcada_uid())', 'select');
