-- Image analysis: engines, runs, results and the quota.

-- One run of an engine on one image. Its results are in `observation`; the dentist's decisions about them are in the
-- chart.
create table analysis (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  series_id uuid not null,
  -- Null: the series is a volume.
  instance_id uuid,
  -- The hash of the original; for a volume, the hash of its originals' hashes in order.
  image_sha256 text not null,
  engine_id text not null,
  engine_version text not null,
  -- The engine's description at the time of the run, so that its card stays readable after the engine is removed.
  engine jsonb not null,
  params jsonb not null default '{}',
  params_hash text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  progress real not null default 0,
  -- The cause of a failure.
  error text,
  abstentions jsonb not null default '[]',
  -- Charged to the quota when the engine has answered.
  cost int not null check (cost >= 0),
  -- Null: the run started automatically.
  started_by uuid references users,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- The process that runs the analysis extends this lease; after it, nobody runs the analysis any more.
  held_until timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, series_id) references series on delete cascade,
  foreign key (institution_id, instance_id) references instance on delete cascade
);
-- The same request is answered once; a failed run may be repeated.
create unique index analysis_once on analysis (institution_id, image_sha256, engine_id, engine_version, params_hash)
  where state in ('queued', 'running', 'done');
create index analysis_by_study on analysis (institution_id, study_id, created_at desc);
create index analysis_held on analysis (held_until) where state = 'running';
select arcada_wall('analysis', 'institution_id = arcada_iid()', 'select, insert, update');

-- A result of an engine: written once, never changed.
create table observation (
  institution_id uuid not null,
  id uuid not null,
  analysis_id uuid not null,
  place int not null,
  code text not null,
  target jsonb not null,
  value jsonb not null,
  unit text,
  geometry jsonb,
  confidence jsonb not null,
  method text not null,
  primary key (institution_id, id),
  foreign key (institution_id, analysis_id) references analysis on delete cascade
);
create index observation_by_analysis on observation (institution_id, analysis_id, place);
select arcada_wall('observation', 'institution_id = arcada_iid()', 'select');

-- An image that an engine created, such as the panorama of a volume.
create table analysis_artefact (
  institution_id uuid not null,
  analysis_id uuid not null,
  code text not null,
  sha256 text not null,
  info jsonb not null,
  primary key (institution_id, analysis_id, code),
  foreign key (institution_id, analysis_id) references analysis on delete cascade
);
create index analysis_artefact_by_content on analysis_artefact (institution_id, sha256);
select arcada_wall('analysis_artefact', 'institution_id = arcada_iid()', 'select');

-- A learned engine that the organisation installed.
create table engine_pack (
  institution_id uuid not null references institution,
  id uuid not null,
  engine_id text not null,
  engine_version text not null,
  -- The whole pack as it was uploaded.
  sha256 text not null,
  bytes bigint not null,
  info jsonb not null,
  -- The key that signed the pack; null: the pack is not signed.
  signed_by text,
  state text not null default 'on' check (state in ('on', 'off')),
  installed_by uuid not null references users,
  installed_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, engine_id, engine_version)
);
create index engine_pack_by_content on engine_pack (institution_id, sha256);
select arcada_wall('engine_pack', 'institution_id = arcada_iid()');

-- Organisations that may install and run engine packs, which are models from outside that run on this server. The
-- operator decides.
create table engine_pack_permission (
  institution_id uuid primary key references institution,
  -- Null: seeded by the demonstration.
  allowed_by uuid references users,
  allowed_at timestamptz not null default now()
);
select arcada_wall('engine_pack_permission', 'institution_id = arcada_iid()', 'select');

-- Packs that come with the product run only for organisations named here: the operator decides.
create table engine_included (
  -- The id in the pack's manifest; the decision holds for every version.
  engine_id text not null,
  -- Null: every clinic.
  institution_id uuid references institution,
  -- Null: seeded by the demonstration.
  switched_by uuid references users,
  switched_at timestamptz not null default now(),
  unique nulls not distinct (engine_id, institution_id)
);
create index engine_included_by_institution on engine_included (institution_id);
select arcada_wall('engine_included', 'institution_id is null or institution_id = arcada_iid()', 'select');

-- The engine that analyses new images of a kind without being asked. No row: the pack that comes with the product.
create table engine_on_upload (
  institution_id uuid not null references institution,
  -- As DICOM names the kinds of images: PX, DX, IO, CT.
  modality text not null,
  -- An included pack by the id in its manifest, others by the id of their row. Null: none, a person starts analyses.
  engine text,
  set_by uuid not null references users,
  set_at timestamptz not null default now(),
  primary key (institution_id, modality)
);
select arcada_wall('engine_on_upload', 'institution_id = arcada_iid()');

-- A model on another server. It receives pixels and nothing else.
create table engine_remote (
  institution_id uuid not null references institution,
  id uuid not null,
  engine_id text not null,
  engine_version text not null,
  address text not null,
  model text not null,
  model_version text,
  -- Encrypted with the instance's key.
  token text,
  -- As in a pack: how pixels become the model's input and its output becomes observations, and the model's description.
  manifest text not null,
  card text not null,
  info jsonb not null,
  state text not null default 'on' check (state in ('on', 'off')),
  set_by uuid not null references users,
  set_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, engine_id, engine_version)
);
select arcada_wall('engine_remote', 'institution_id = arcada_iid()');

-- Grants and use of the analysis quota. Rows are only added. An organisation has used what was reserved and not
-- released.
create table quota_ledger (
  institution_id uuid not null references institution,
  id bigint generated always as identity,
  -- Kept after the analysis was deleted together with its image: the use still counts.
  analysis_id uuid,
  kind text not null check (kind in ('grant', 'reserve', 'commit', 'release', 'expire')),
  -- The origin of a grant; each origin counts once.
  source text,
  amount int not null check (amount > 0),
  at timestamptz not null default now(),
  -- The period whose quota was used; null: the free base.
  period_id uuid,
  primary key (institution_id, id),
  unique (analysis_id, kind),
  unique (institution_id, source, kind),
  check ((kind in ('grant', 'expire')) = (analysis_id is null)),
  check ((analysis_id is null) = (source is not null))
);
-- Each analysis asks what is left of the pools.
create index quota_ledger_reserved on quota_ledger (institution_id, period_id, at) include (amount, analysis_id)
  where kind = 'reserve';
create index quota_ledger_granted on quota_ledger (institution_id) include (kind, amount) where kind in ('grant', 'expire');
select arcada_wall('quota_ledger', 'institution_id = arcada_iid()', 'select');
