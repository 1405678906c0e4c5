-- What after-sales people keep of a clinic, with an account here or without. Every organisation that is a clinic has a
-- row: its name, number and country follow the organisation, all else is the service's own.
create table clinic (
  id uuid primary key,
  institution_id uuid unique references institution,
  number text not null unique,
  name text not null,
  country text not null,
  -- Codes of divisions where they are known, else as typed.
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
  -- Written by the clinic slice, as the patient's are; null: not written yet, which the next search does.
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

create function clinic_of_institution() returns trigger language plpgsql security definer set search_path = public as $$
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

do $$
begin
  set local role arcada_system;
  insert into clinic (id, institution_id, number, name, country, address, leader, phone, set_up_at, longitude, latitude)
    select gen_random_uuid(), id, number, name, country, address, contact_person, contact_way, created_at,
      case when latitude is not null then longitude end, case when longitude is not null then latitude end
    from institution where type = 'clinic' and not stub;
  reset role;
end $$;

-- Where a device stands; of two records that become one the devices move in the same transaction.
alter table device add foreign key (clinic_id) references clinic deferrable initially deferred;
