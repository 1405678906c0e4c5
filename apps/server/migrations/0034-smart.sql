-- Apps by SMART App Launch: registrations, what people allow them, and tokens.

create table smart_app (
  institution_id uuid not null references institution,
  -- The client id; also the technical user in whose name a backend service acts.
  id uuid not null unique references users,
  name text not null,
  kind text not null check (kind in ('public', 'secret', 'keys')),
  redirect_uris text[] not null,
  launch_url text,
  scopes text[] not null,
  secret_hash text check ((secret_hash is null) = (kind <> 'secret')),
  -- The address of a JSON Web Key Set, or the set itself.
  keys text check ((keys is null) = (kind <> 'keys')),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (institution_id, id)
);
select arcada_wall('smart_app', 'institution_id = arcada_iid()');

-- What one person allowed an app at one time, or one request of a backend service. All tokens of the family end with it.
create table smart_grant (
  institution_id uuid not null,
  id uuid not null unique,
  app_id uuid not null,
  -- Null: a backend service.
  user_id uuid references users,
  -- The role that the person had. It is worth nothing once they have another one.
  authority_id int not null,
  patient_id uuid,
  scopes text[] not null,
  code_hash text unique,
  code_expires_at timestamptz,
  code_used_at timestamptz,
  challenge text,
  redirect_uri text,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- The time after which no token of it is valid.
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('revoked', 'appRevoked', 'codeReplayed', 'refreshReplayed')),
  primary key (institution_id, id),
  foreign key (institution_id, app_id) references smart_app,
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index smart_grant_by_app on smart_grant (institution_id, app_id) where ended_at is null;
create index smart_grant_by_patient on smart_grant (institution_id, patient_id) where patient_id is not null;
create index smart_grant_by_user on smart_grant (user_id) where ended_at is null;
create index smart_grant_age on smart_grant (expires_at);
select arcada_wall('smart_grant', 'institution_id = arcada_iid()');

create table smart_token (
  institution_id uuid not null,
  id uuid not null primary key,
  grant_id uuid not null,
  hash text not null unique,
  kind text not null check (kind in ('access', 'refresh')),
  -- Those of the grant, or fewer.
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Only of refresh tokens, which work once.
  used_at timestamptz,
  foreign key (institution_id, grant_id) references smart_grant on delete cascade
);
create index smart_token_by_grant on smart_token (institution_id, grant_id);
create index smart_token_age on smart_token (expires_at);
select arcada_wall('smart_token', 'institution_id = arcada_iid()');
