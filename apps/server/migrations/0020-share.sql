-- Share links, and the sessions of their guests.

-- Links by which a guest without an account sees one study or order. Only the hash of the secret is stored.
create table share (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('study', 'order')),
  thing_id uuid not null,
  -- The patient at the time when the link was created. If the study moves to another patient, the link no longer
  -- applies.
  patient_id uuid not null,
  label text not null,
  secret_hash text not null unique,
  factor text not null check (factor in ('none', 'email', 'phone', 'birthDate', 'phrase')),
  -- A keyed hash of the expected answer; null for email codes, which use the columns below.
  factor_hash text,
  email text,
  nameless boolean not null,
  may_download boolean not null,
  state text not null default 'active' check (state in ('active', 'locked', 'cancelled', 'expired')),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  failures int not null default 0,
  -- The times of the latest wrong answers.
  failed_at timestamptz[] not null default '{}',
  code_hash text,
  code_until timestamptz,
  code_tries int not null default 0,
  codes_at timestamptz[] not null default '{}',
  opens int not null default 0,
  last_open_at timestamptz,
  -- For a link to an order: whether it shows images, and which revisions.
  pictures boolean not null default false,
  revisions uuid[] not null default '{}',
  -- The organisation that created the link: the owner of the data, or the lab that may share an order.
  house_id uuid not null references institution,
  -- The random part of the code's hash, encrypted for the running processes, so that the code cannot be derived from
  -- SECRET_KEY and the database (decision 69).
  code_sealed jsonb not null default '{}',
  primary key (institution_id, id),
  check ((factor = 'none' or factor = 'email') = (factor_hash is null)),
  check ((factor = 'email') = (email is not null)),
  -- The link alone never reveals the patient's identity.
  check (nameless or factor <> 'none'),
  -- Without a second factor, a link to an order shows its de-identified models and nothing else.
  constraint share_order_factor check (kind = 'study' or factor <> 'none' or not pictures)
);
create index share_by_age on share (institution_id, created_at desc, id desc);
create index share_by_thing on share (institution_id, thing_id);
create index share_due on share (expires_at) where state in ('active', 'locked');
create index share_by_house on share (house_id, created_at desc, id desc) where house_id <> institution_id;
select arcada_wall('share', 'institution_id = arcada_iid() or house_id = arcada_iid()');

-- A guest session lasts half an hour. The page holds one half of its secret, a cookie the other.
create table share_visit (
  id uuid primary key,
  institution_id uuid not null,
  share_id uuid not null,
  token_hash text not null,
  cookie_hash text not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  foreign key (institution_id, share_id) references share on delete cascade
);
create index share_visit_by_age on share_visit (expires_at);
create index share_visit_by_share on share_visit (institution_id, share_id);
select arcada_wall('share_visit', 'institution_id = arcada_iid()');

create table share_event (
  institution_id uuid not null,
  share_id uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  what text not null,
  user_id uuid references users,
  -- A keyed hash of the guest's address.
  address text,
  agent text,
  primary key (institution_id, share_id, seq),
  foreign key (institution_id, share_id) references share on delete cascade
);
select arcada_wall('share_event', 'institution_id = arcada_iid() or exists (select from share h
  where h.institution_id = share_event.institution_id and h.id = share_id and h.house_id = arcada_iid())', 'select, insert');
