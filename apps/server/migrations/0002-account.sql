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
  created_at timestamptz not null default now()
);
-- Names of colleagues and partners are shown beside their work; the other columns are for the system alone, which reads
-- them for the user in question.
select arcada_wall('users', 'true', 'update');
grant select (id, user_name, nick_name, avatar) on users to arcada_app;
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

-- One row per token. A rotated token names its chain: its use after the grace ends them all.
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
  end_reason text
);
create index session_by_user on session (user_id) where ended_at is null;
create index session_by_chain on session (chain);
select arcada_wall('session', 'user_id = arcada_uid()');

create table verification (
  id uuid primary key,
  target text not null,
  purpose text not null,
  code_hash text not null,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index verification_newest on verification (target, purpose, created_at desc);
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
