-- After-sales records of clinics.

-- The after-sales record of a clinic, with or without an account. Every organisation of type clinic has a row: its
-- name, number and country follow the organisation; the service maintains the rest.
create table clinic (
  id uuid primary key,
  institution_id uuid unique references institution,
  number text not null unique,
  name text not null,
  country text not null,
  -- Codes of administrative divisions if known, otherwise as typed.
  province text,
  city text,
  address text,
  leader text,
  phone_area text,
  phone text,
  alternate_name text,
  alternate_phone text,
  set_up_at date not null default current_date,
  longitude double precision,
  latitude double precision,
  created_at timestamptz(3) not null default now(),
  version int not null default 0,
  -- Search columns like those of `patient`, written by the clinic slice; null: the next search writes them.
  haystack text,
  grams text[] not null default '{}',
  sort_name text collate "C" not null default '',
  check ((longitude is null) = (latitude is null))
);
create index clinic_by_name on clinic (sort_name, id);
create index clinic_by_place on clinic (country, province, city);
create index clinic_unworded on clinic (id) where haystack is null;
create index clinic_haystack on clinic using gin (haystack gin_trgm_ops) with (fastupdate = off);
create index clinic_grams on clinic using gin (grams) with (fastupdate = off);
select arcada_wall('clinic', 'arcada_service()');
create policy read_own on clinic for select to arcada_app using (institution_id = arcada_iid());

create function clinic_of_institution() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into clinic (id, institution_id, number, name, country, address, leader, phone, set_up_at, longitude, latitude)
  select gen_random_uuid(), new.id, new.number, new.name, new.country, new.address, new.contact_person, new.contact_way,
    new.created_at, case when new.latitude is not null then new.longitude end, case when new.longitude is not null then new.latitude end
  where new.type = 'clinic' and not new.stub
  on conflict (institution_id) do update set number = excluded.number, name = excluded.name, country = excluded.country,
    province = case when clinic.country = excluded.country then clinic.province end,
    city = case when clinic.country = excluded.country then clinic.city end,
    longitude = case when clinic.longitude is null then excluded.longitude else clinic.longitude end,
    latitude = case when clinic.longitude is null then excluded.latitude else clinic.latitude end,
    haystack = null, version = clinic.version + 1;
  return null;
end $$;
grant create on schema public to arcada_system;
alter function clinic_of_institution() owner to arcada_system;
revoke create on schema public from arcada_system;
create trigger clinic_made after insert on institution for each row execute function clinic_of_institution();
create trigger clinic_followed after update on institution for each row
  when ((old.name, old.number, old.country, old.stub, old.longitude, old.latitude)
    is distinct from (new.name, new.number, new.country, new.stub, new.longitude, new.latitude))
  execute function clinic_of_institution();

-- A record that was joined with that of an account. The row holds what is needed to separate them again if it was the
-- wrong account.
create table clinic_join (
  id uuid primary key,
  -- The record of the account.
  clinic_id uuid not null references clinic,
  -- The other record as it was, and the previous values of the account's record that were overwritten.
  record jsonb not null,
  before jsonb not null,
  devices uuid[] not null,
  work_orders uuid[] not null,
  -- Work orders whose machines were to be moved to the other clinic.
  destinations uuid[] not null,
  feedback uuid[] not null,
  joined_by uuid not null references users,
  joined_at timestamptz not null default now(),
  parted_by uuid references users,
  parted_at timestamptz,
  check ((parted_by is null) = (parted_at is null))
);
create index clinic_join_by_clinic on clinic_join (clinic_id) where parted_at is null;
select arcada_wall('clinic_join', 'arcada_service()', 'select, insert, update');
