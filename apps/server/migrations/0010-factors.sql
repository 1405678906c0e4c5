-- What a person shows besides, or instead of, a password, and the accounts of other houses that sign in as theirs.
alter table institution add column require_factor boolean not null default false;
-- Whether a passkey is asked for after a password, or only takes its place.
alter table users add column passkey_second boolean not null default false;

-- The secret is sealed: a copy of the database alone makes no codes. last_step: no code counts twice.
create table totp (
  user_id uuid primary key references users on delete cascade,
  sealed text not null,
  last_step bigint not null default 0,
  made_at timestamptz not null default now(),
  confirmed_at timestamptz
);
select arcada_wall('totp', 'false');

create table recovery_code (
  user_id uuid not null references users on delete cascade,
  hash text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
select arcada_wall('recovery_code', 'false');

create table passkey (
  id text primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  made_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkey_by_user on passkey (user_id);
select arcada_wall('passkey', 'false');

-- Who of another house is who here. The issuer's subject never changes; its e-mail address may.
create table identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  email text not null,
  linked_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identity_by_user on identity (user_id);
select arcada_wall('identity', 'false');

-- A sign-in of this user has two steps.
create function arcada_two_steps(who uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from totp where user_id = who and confirmed_at is not null)
    or exists (select from users join passkey on passkey.user_id = users.id where users.id = who and users.passkey_second)
$$;
