-- Cephalometric tracings.

-- The tracing of a cephalogram, one for each image. Measurements follow from it and are not stored.
create table ceph_tracing (
  institution_id uuid not null,
  id uuid not null,
  -- Always equals the patient of the study.
  patient_id uuid not null,
  study_id uuid not null,
  instance_id uuid not null,
  version int not null,
  content jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, instance_id),
  foreign key (institution_id, patient_id) references patient on delete cascade,
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, instance_id) references instance on delete cascade
);
create index ceph_tracing_by_patient on ceph_tracing (institution_id, patient_id);
create index ceph_tracing_by_study on ceph_tracing (institution_id, study_id);
select arcada_wall('ceph_tracing', 'institution_id = arcada_iid()');

-- Earlier versions of a tracing, including the last one before it was deleted.
create table ceph_tracing_version (
  institution_id uuid not null,
  tracing_id uuid not null,
  version int not null,
  study_id uuid not null,
  instance_id uuid not null,
  content jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null,
  primary key (institution_id, tracing_id, version),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index ceph_tracing_version_by_study on ceph_tracing_version (institution_id, study_id);
select arcada_wall('ceph_tracing_version', 'institution_id = arcada_iid()');

-- Tracings follow their study to another record.
create function ceph_follows_study() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ceph_tracing set patient_id = new.patient_id where institution_id = new.institution_id and study_id = new.id;
  return null;
end $$;
grant create on schema public to arcada_system;
alter function ceph_follows_study() owner to arcada_system;
revoke create on schema public from arcada_system;
create trigger ceph_follows_study after update of patient_id on study
  for each row when (new.patient_id is not null and new.patient_id is distinct from old.patient_id)
  execute function ceph_follows_study();
