-- Exchange of studies with PACS by DIMSE.

-- Applications to which a clinic sends, and which may be named as the destination of a C-MOVE.
create table pacs_destination (
  institution_id uuid not null references institution,
  id uuid not null,
  name text not null,
  -- The AE title that is called there.
  title text not null,
  host text not null,
  port int not null check (port between 1 and 65535),
  tls boolean not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  -- The time of the last association, and the time and the reason of the last one that failed.
  reached_at timestamptz,
  failed_at timestamptz,
  problem text,
  primary key (institution_id, id),
  unique (institution_id, title)
);
select arcada_wall('pacs_destination', 'institution_id = arcada_iid()');

-- Studies that are sent, and reports of storage commitment that wait for their application.
create table pacs_task (
  institution_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  -- Null: a report of storage commitment.
  study_id uuid,
  report jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'cancelled')),
  tries int not null default 0,
  total int not null default 0,
  -- The objects that the application has taken: a further attempt leaves them out.
  delivered text[] not null default '{}',
  warnings int not null default 0,
  problem text,
  -- The reason in English, for whoever looks after the other application.
  detail text,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, destination_id) references pacs_destination on delete cascade,
  foreign key (institution_id, study_id) references study on delete cascade,
  check ((study_id is null) <> (report is null))
);
create index pacs_task_log on pacs_task (institution_id, id desc);
create index pacs_task_by_study on pacs_task (institution_id, study_id) where study_id is not null;
create unique index pacs_task_once on pacs_task (institution_id, study_id, destination_id)
  where state in ('waiting', 'sending') and study_id is not null;
create index pacs_task_age on pacs_task (created_at);
select arcada_wall('pacs_task', 'institution_id = arcada_iid()');
