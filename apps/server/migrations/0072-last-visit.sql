-- The last visit is empty until the patient was here: the latest visit that is written down, or the day of the last
-- images. recent_visit_at keeps the order of the list, in which a new record stands first.
alter table patient add column last_visit_at timestamptz(3);
update patient p set last_visit_at = greatest(
  (select max(v.at) from visit v where v.institution_id = p.institution_id and v.patient_id = p.id and v.deleted_at is null),
  (select max(s.created_at) from study s where s.institution_id = p.institution_id and s.patient_id = p.id and s.deleted_at is null));

drop view patient_living;
create view patient_living as
  select *, patient_born(birth_date, age_given, age_given_on) as born
  from patient where institution_id = arcada_iid() and deleted_at is null;
grant create on schema public to arcada_system;
alter view patient_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on patient_living to arcada_app;
