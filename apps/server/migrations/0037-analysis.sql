-- One run of an engine over one image. What it saw stands in `observation`; what a dentist decided about that, in the chart.
create table analysis (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  series_id uuid not null,
  -- Null: the series is a volume.
  instance_id uuid,
  -- Of the original; of a volume, of its originals' hashes in their order.
  image_sha256 text not null,
  engine_id text not null,
  engine_version text not null,
  -- What the engine said of itself when it was asked: its card stays readable when it has been removed.
  engine jsonb not null,
  params jsonb not null default '{}',
  params_hash text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  progress real not null default 0,
  -- Why it failed.
  error text,
  abstentions jsonb not null default '[]',
  -- Taken from the quota when something was answered.
  cost int not null check (cost >= 0),
  -- Null: it began by itself.
  started_by uuid references users,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Whoever runs it says so again and again; later than this nobody does any more.
  held_until timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, series_id) references series on delete cascade,
  foreign key (institution_id, instance_id) references instance on delete cascade
);
-- The same question is answered once; what failed may be asked again.
create unique index analysis_once on analysis (institution_id, image_sha256, engine_id, engine_version, params_hash)
  where state in ('queued', 'running', 'done');
create index analysis_by_study on analysis (institution_id, study_id, created_at desc);
create index analysis_held on analysis (held_until) where state = 'running';
select arcada_wall('analysis', 'institution_id = arcada_iid()', 'select, insert, update');

-- What an engine saw or measured: written once, changed by nobody.
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

-- A picture that an engine made, such as the panorama out of a volume.
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

-- A learned engine that the organisation has installed.
create table engine_pack (
  institution_id uuid not null references institution,
  id uuid not null,
  engine_id text not null,
  engine_version text not null,
  -- The whole pack as it was sent.
  sha256 text not null,
  bytes bigint not null,
  info jsonb not null,
  -- Whose signature was found good; null: it has none.
  signed_by text,
  state text not null default 'on' check (state in ('on', 'off')),
  installed_by uuid not null references users,
  installed_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, engine_id, engine_version)
);
create index engine_pack_by_content on engine_pack (institution_id, sha256);
select arcada_wall('engine_pack', 'institution_id = arcada_iid()');

-- A model on a server of somebody else, which gets pixels and nothing more.
create table engine_remote (
  institution_id uuid not null references institution,
  id uuid not null,
  engine_id text not null,
  engine_version text not null,
  address text not null,
  model text not null,
  model_version text,
  -- Sealed by the instance's key.
  token text,
  -- As packs have them: how pixels become its input and its output observations, and what it says of itself.
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

-- What was granted and used. Rows are added only; what an organisation has used is what was reserved and not released.
create table quota_ledger (
  institution_id uuid not null references institution,
  id bigint generated always as identity,
  -- Kept when the analysis has gone with its image: what was used was used.
  analysis_id uuid,
  kind text not null check (kind in ('grant', 'reserve', 'commit', 'release', 'expire')),
  -- Of a grant: where it comes from; each once.
  source text,
  amount int not null check (amount > 0),
  at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (analysis_id, kind),
  unique (institution_id, source, kind),
  check ((kind in ('grant', 'expire')) = (analysis_id is null)),
  check ((analysis_id is null) = (source is not null))
);
select arcada_wall('quota_ledger', 'institution_id = arcada_iid()', 'select');
