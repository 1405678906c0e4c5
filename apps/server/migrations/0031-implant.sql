-- Implant libraries, and the documents of implant plans.

-- A library file that an organisation has imported; the product's own is in the code.
create table implant_library (
  institution_id uuid not null references institution,
  id uuid not null,
  name text not null,
  content jsonb not null,
  imported_by uuid not null references users,
  imported_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, name)
);
select arcada_wall('implant_library', 'institution_id = arcada_iid()');

-- A report or a guide that was made of a study's plan, and the pictures of a report. A report is also a document of the
-- patient; these rows say of which plan the files are, and keep them for orders.
create table implant_document (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  kind text not null check (kind in ('report', 'picture', 'guide')),
  -- The report of a picture.
  report_id uuid,
  name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null,
  -- The version of the study's marks, and the measures that the document states.
  marks_version int not null,
  content jsonb not null,
  made_by uuid not null references users,
  made_at timestamptz not null default now(),
  primary key (institution_id, id),
  check ((kind = 'picture') = (report_id is not null)),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, report_id) references implant_document on delete cascade
);
create index implant_document_by_study on implant_document (institution_id, study_id, made_at);
create index implant_document_by_content on implant_document (institution_id, sha256);
create index implant_document_of_report on implant_document (institution_id, report_id) where report_id is not null;
select arcada_wall('implant_document', 'institution_id = arcada_iid()');
