-- Of the files that a job could read: how many it has added, and how many the patient had already.
alter table ingest_job add column added int not null default 0;
alter table ingest_job add column known int not null default 0;
