-- Where an instance's frames lie in its file, so that one is sent without opening the file as DICOM: null where they have to
-- be taken apart first, and for what was read before this was kept.
alter table dicom_instance add column frames_at bigint, add column frame_bytes bigint;

-- As dicom_study_living: the wall is within, so that a viewer's many small questions are not planned through the walls of
-- the tables below.
create view dicom_instance_living as
  select i.*, d.uid as study_uid, d.study_date, o.sha256, o.bytes from dicom_study d
    join dicom_instance i on i.institution_id = d.institution_id and i.study_id = d.study_id
    join instance o on o.institution_id = i.institution_id and o.id = i.instance_id
  where d.institution_id = arcada_iid() and i.institution_id = arcada_iid() and o.institution_id = arcada_iid() and d.shown;
grant create on schema public to arcada_system;
alter view dicom_instance_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on dicom_instance_living to arcada_app;
