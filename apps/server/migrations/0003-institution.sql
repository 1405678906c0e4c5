-- Organisations: clinics and dental laboratories.

-- A time zone that this database does not know is rejected: every list, report and number of the day would fail with
-- it.
create function arcada_is_zone(name text) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform timestamptz 'epoch' at time zone name;
  return true;
exception when others then
  return false;
end $$;

create table institution (
  id uuid primary key,
  number text not null unique,
  name text not null,
  type text not null check (type in ('clinic', 'lab')),
  country text not null,
  address text,
  contact_person text,
  contact_way text,
  longitude double precision,
  latitude double precision,
  hide_patient_names boolean not null default false,
  auto_accept_relations boolean not null default false,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  -- Members must sign in with a second factor.
  require_factor boolean not null default false,
  -- Hashes of the logos for reports, among the organisation's derived files.
  logo_cover text check (logo_cover ~ '^[0-9a-f]{64}$'),
  logo_inside text check (logo_inside ~ '^[0-9a-f]{64}$'),
  -- A stub is known from an archive only: the partner of another organisation, in which nobody works here.
  stub boolean not null default false,
  -- Days after which an unconfirmed receipt closes by itself; null: never.
  receipt_days int default 30 check (receipt_days between 14 and 90),
  -- Years after the last visit for which a record must be kept; null: the rule of the country applies.
  retention_years int check (retention_years between 0 and 100),
  -- The time zone in which the organisation's days begin; null: that of its country (decision 92).
  time_zone text check (time_zone is null or (length(time_zone) <= 60 and arcada_is_zone(time_zone))),
  -- Partner organisations see the phone numbers of the people in charge of an order.
  share_phones boolean not null default true,
  -- The member of the after-sales staff who opened the organisation together with the account of its first manager.
  opened_by uuid references users,
  -- The managers have dismissed the list of first steps.
  first_steps_hidden boolean not null default false,
  -- A practice program that opens an absent patient may have the patient created, once a member has confirmed the data.
  launch_creates_patients boolean not null default false
);
create index institution_name on institution using gin (lower(name) gin_trgm_ops);
-- The list of clinics for after-sales staff, by name and page by page.
create index institution_clinics on institution (lower(name) collate "C", id) where type = 'clinic';
-- Creating an organisation counts how many the same person created that day.
create index institution_by_founder on institution (created_by, created_at);
create index institution_by_opener on institution (opened_by, created_at) where opened_by is not null;
select arcada_wall('institution', 'true', 'select, insert, update');
-- One policy for each command replaces the default.
drop policy own on institution;
create policy found on institution for select to arcada_app using (true);
create policy made on institution for insert to arcada_app with check (created_by = arcada_uid());
create policy managed on institution for update to arcada_app using (id = arcada_iid()) with check (id = arcada_iid());
