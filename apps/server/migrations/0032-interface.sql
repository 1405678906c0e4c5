-- Keys of programs. Each is also a user without a way to sign in, under whose name it writes and stands in the trail.
create table api_key (
  institution_id uuid not null references institution,
  id uuid not null unique references users,
  name text not null,
  -- The first letters, by which people know it; the whole is kept as its hash alone.
  begins text not null,
  token_hash text not null unique,
  scopes text[] not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Requests of the current minute.
  minute timestamptz,
  calls int not null default 0,
  primary key (institution_id, id)
);
select arcada_wall('api_key', 'institution_id = arcada_iid()', 'select, insert, update');

-- Endpoints of other programs that are told of what happens. Secrets are sealed by the instance's key.
create table webhook (
  institution_id uuid not null references institution,
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  state text not null default 'on' check (state in ('on', 'off', 'stopped')),
  failing_since timestamptz,
  delivered_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (institution_id, id)
);
select arcada_wall('webhook', 'institution_id = arcada_iid()');

-- What is to be told and what was: written in the transaction of what happened.
create table webhook_delivery (
  institution_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event text not null,
  -- Its bytes, as they are signed.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries int not null default 0,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  -- A process is sending it: until then nobody else does.
  held_until timestamptz,
  last_try_at timestamptz,
  status int,
  milliseconds int,
  problem text,
  primary key (institution_id, id),
  foreign key (institution_id, webhook_id) references webhook on delete cascade
);
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (institution_id, webhook_id, id desc);
create index webhook_delivery_age on webhook_delivery (created_at);
select arcada_wall('webhook_delivery', 'institution_id = arcada_iid()');
