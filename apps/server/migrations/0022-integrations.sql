-- Keys and webhooks for other programs.

-- Keys of programs. Each key is also a user who cannot sign in, and whose name appears in the audit log.
create table api_key (
  institution_id uuid not null references institution,
  id uuid not null unique references users,
  name text not null,
  -- The first characters, by which people recognise the key. Only the hash of the whole key is stored.
  begins text not null,
  token_hash text not null unique,
  -- A renewed key accepts its previous secret for a while.
  old_token_hash text unique,
  old_token_until timestamptz,
  rotated_at timestamptz,
  scopes text[] not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Counts the requests of the current minute.
  minute timestamptz,
  calls int not null default 0,
  -- The last report of a laboratory's agent: figures and numbers of orders.
  agent_report jsonb,
  agent_seen_at timestamptz,
  primary key (institution_id, id)
);
select arcada_wall('api_key', 'institution_id = arcada_iid()', 'select, insert, update');

-- Endpoints of other programs that receive events. Secrets are encrypted with the instance's key.
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

-- Pending and finished deliveries, written in the transaction of the event. One partition holds those of a week.
create table webhook_delivery (
  institution_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event text not null,
  -- The exact bytes that are signed.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries int not null default 0,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  -- The lease of the process that sends it; until then no other process does.
  held_until timestamptz,
  last_try_at timestamptz,
  status int,
  milliseconds int,
  problem text,
  primary key (institution_id, id, created_at),
  foreign key (institution_id, webhook_id) references webhook on delete cascade
) partition by range (created_at);
select arcada_add_partitions();
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
-- The next ones of an endpoint, however many wait there.
create index webhook_delivery_next on webhook_delivery (institution_id, webhook_id, next_at, id) where state = 'waiting';
-- Those in progress.
create index webhook_delivery_held on webhook_delivery (institution_id, webhook_id, held_until)
  where state = 'waiting' and held_until is not null;
create index webhook_delivery_log on webhook_delivery (institution_id, webhook_id, id desc);
select arcada_wall('webhook_delivery', 'institution_id = arcada_iid()');
