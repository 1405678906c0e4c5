-- Accounts: people, their contacts, sessions and factors of sign-in.

create table users (
  id uuid primary key,
  user_name text not null default '',
  nick_name text not null default '',
  gender text check (gender in ('male', 'female')),
  birthday date,
  country text,
  address text,
  language text not null default 'zh',
  avatar text,
  intended_role text,
  password_hash text,
  init_status int not null default 0,
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  -- True: a passkey is asked for after the password. False: a passkey replaces the password.
  passkey_second boolean not null default false,
  -- The version of the terms that the person accepted at registration, and when.
  terms_version text,
  agreed_at timestamptz,
  -- Partner organisations see this number instead of the one that the account signs in with.
  work_phone text
);
-- Names of colleagues and partners are shown beside their work. The system alone reads the other columns, for the user
-- in question.
select arcada_wall('users', 'true', 'update');
grant select (id, user_name, nick_name, avatar) on users to arcada_app;
-- One policy for each command replaces the default.
drop policy own on users;
create policy seen on users for select to arcada_app using (true);
create policy own on users for update to arcada_app using (id = arcada_uid()) with check (id = arcada_uid());

create table contact (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  country_code text,
  verified_at timestamptz not null default now(),
  primary key (user_id, kind),
  unique (kind, value)
);
select arcada_wall('contact', 'user_id = arcada_uid()');

-- One row per token. Rotated tokens share a chain: if an old token is used after the grace period, the whole chain
-- ends.
create table session (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  chain uuid not null,
  token_hash text not null unique,
  sid_hash text,
  kind text not null check (kind in ('browser', 'api')),
  institution_id uuid,
  authority_id int not null,
  remember boolean not null default false,
  agent text not null default '',
  address text,
  created_at timestamptz not null default now(),
  chain_since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  rotated_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  -- A browser session locks after this many seconds without activity (seen_at); null: it never locks. A locked session
  -- stays locked; its owner continues the chain by signing in again.
  idle_seconds int,
  locked_at timestamptz,
  -- When the owner last proved their identity again.
  proven_at timestamptz
);
create index session_by_user on session (user_id) where ended_at is null;
create index session_by_chain on session (chain);
select arcada_wall('session', 'user_id = arcada_uid()');

-- Tells every process whose sessions may have ended: it checks the streams of that person, and those of nobody else.
-- The argument of the triggers is the column of the person.
create function sessions_may_have_ended() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('arcada_sessions', to_jsonb(old) ->> tg_argv[0]);
  return null;
end $$;

create trigger may_have_ended after update on session for each row
  when (old.ended_at is null
    and ((old.ended_at, old.rotated_at, old.locked_at, old.expires_at, old.institution_id, old.authority_id)
      is distinct from (new.ended_at, new.rotated_at, new.locked_at, new.expires_at, new.institution_id, new.authority_id)
      or new.seen_at < old.seen_at))
  execute function sessions_may_have_ended('user_id');
create trigger removed after delete on session for each row when (old.ended_at is null and old.expires_at > now())
  execute function sessions_may_have_ended('user_id');
create trigger suspended after update of suspended_at on users for each row when (new.suspended_at is not null)
  execute function sessions_may_have_ended('id');

create table verification (
  id uuid primary key,
  target text not null,
  purpose text not null,
  code_hash text not null,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The asker is a known device or a network. `browser` names the browser that asked. `sealed` holds the part of the
  -- code's hash that only processes of that time can decrypt.
  asker text not null default '',
  browser text,
  sealed jsonb not null default '{}'
);
create index verification_newest on verification (target, purpose, created_at desc);
create index verification_by_asker on verification (target, created_at);
select arcada_wall('verification', 'false');

-- Single-use secrets: registration tickets, exchange codes, solved human checks.
create table ticket (
  hash text primary key,
  kind text not null,
  target text not null,
  data jsonb not null default '{}',
  expires_at timestamptz not null,
  used_at timestamptz
);
select arcada_wall('ticket', 'false');

create table login_failure (
  id bigint generated always as identity primary key,
  target text not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failure_by_target on login_failure (target, at);
create index login_failure_by_address on login_failure (address, at);
select arcada_wall('login_failure', 'false');

create table known_device (
  user_id uuid not null references users on delete cascade,
  device_hash text not null,
  at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
select arcada_wall('known_device', 'false');

-- The secret is encrypted, so a copy of the database alone cannot generate codes. last_step prevents that a code is
-- used twice.
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

-- Links an account of an identity provider to a user. The issuer's subject never changes; the email address may.
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

-- Tells whether this user needs a second factor to sign in.
create function arcada_two_steps(who uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from totp where user_id = who and confirmed_at is not null)
    or exists (select from users join passkey on passkey.user_id = users.id where users.id = who and users.passkey_second)
$$;

-- Errors in browsers, for the operator. Nobody is named: `reporter` is a keyed hash that serves the rate limit alone.
create table error_report (
  id uuid primary key,
  reporter text not null,
  message text not null,
  stack text not null default '',
  path text not null,
  agent text not null default '',
  happened_at timestamptz not null,
  at timestamptz not null default now()
);
create index error_report_by_reporter on error_report (reporter, at);
create index error_report_by_age on error_report (at);
select arcada_wall('error_report', 'false');
