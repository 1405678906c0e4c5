-- Health reports.

-- Report numbers are consecutive in each organisation.
create table report_counter (
  institution_id uuid primary key references institution,
  last int not null
);
select arcada_wall('report_counter', 'institution_id = arcada_iid()');

-- Health reports of a patient. A correction is a new report that names the previous one.
create table report (
  institution_id uuid not null references institution,
  id uuid not null,
  patient_id uuid not null,
  number text not null,
  source text not null check (source in ('manual', 'ai')),
  state text not null check (state in ('draft', 'in_review', 'signed', 'amended', 'withdrawn')),
  version int not null default 0,
  -- What the dentist writes and chooses.
  form jsonb not null,
  -- The versions of the patient's record, chart and tracing that the author saw last.
  basis jsonb not null,
  -- The complete signed content; null until the report is signed.
  content jsonb,
  norms text,
  score int check (score between 0 and 100),
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  saved_by uuid not null references users,
  saved_at timestamptz(3) not null default now(),
  signed_by uuid references users,
  signed_at timestamptz(3),
  licence text,
  -- The hash of the content in its canonical form.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  previous_id uuid,
  -- Who withdrew the report, when and why.
  ended_by uuid references users,
  ended_at timestamptz(3),
  reason text,
  primary key (institution_id, id),
  unique (institution_id, number),
  foreign key (institution_id, patient_id) references patient on delete cascade,
  foreign key (institution_id, previous_id) references report,
  check ((state in ('draft', 'in_review')) = (content is null)),
  check ((content is null) = (sha256 is null) and (content is null) = (signed_by is null)
    and (content is null) = (signed_at is null) and (content is null) = (licence is null))
);
create index report_by_age on report (institution_id, created_at desc, id desc);
create index report_unsigned on report (institution_id, created_at desc) where state in ('draft', 'in_review');
create index report_by_patient on report (institution_id, patient_id, created_at desc);
-- A report has at most one correction that is not withdrawn.
create unique index report_of_previous on report (institution_id, previous_id)
  where previous_id is not null and state <> 'withdrawn';
select arcada_wall('report', 'institution_id = arcada_iid()');

-- A signed report does not change: it can only be marked as corrected or withdrawn, and move to the kept record when
-- two records of one patient are merged.
create function report_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if current_user = 'arcada_app' and new.state <> 'draft' then
      raise exception 'a report begins as a draft';
    end if;
    return new;
  end if;
  if old.content is null then
    if tg_op = 'DELETE' then
      return old;
    end if;
    return new;
  end if;
  if tg_op = 'DELETE' then
    -- A patient who is erased goes with all of their reports; nobody takes out one of them.
    if current_user = 'arcada_app' then
      raise exception 'a signed report stays';
    end if;
    return old;
  end if;
  if (new.number, new.source, new.form, new.basis, new.content, new.norms, new.score, new.created_by, new.created_at, new.saved_by,
      new.saved_at, new.signed_by, new.signed_at, new.licence, new.sha256, new.previous_id)
    is distinct from (old.number, old.source, old.form, old.basis, old.content, old.norms, old.score, old.created_by, old.created_at,
      old.saved_by, old.saved_at, old.signed_by, old.signed_at, old.licence, old.sha256, old.previous_id)
    or not (new.state = old.state or (old.state = 'signed' and new.state in ('amended', 'withdrawn')))
    or (old.ended_at is not null and (new.ended_at, new.ended_by, new.reason) is distinct from (old.ended_at, old.ended_by, old.reason))
  then
    raise exception 'a signed report stays as it was signed';
  end if;
  return new;
end $$;
create trigger report_stays before insert or update or delete on report for each row execute function report_stays();

-- Cropped images that a report shows. box: left, top, right and bottom in pixels of the image; empty for the whole
-- image.
create table report_picture (
  institution_id uuid not null,
  report_id uuid not null,
  instance_id uuid not null,
  box text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  width int not null,
  height int not null,
  primary key (institution_id, report_id, instance_id, box),
  foreign key (institution_id, report_id) references report on delete cascade
);
create index report_picture_by_content on report_picture (institution_id, sha256);
select arcada_wall('report_picture', 'institution_id = arcada_iid()');

-- The PDF documents that were signed, one for each language.
create table report_paper (
  institution_id uuid not null,
  report_id uuid not null,
  language text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes int not null,
  primary key (institution_id, report_id, language),
  foreign key (institution_id, report_id) references report on delete cascade
);
create index report_paper_by_content on report_paper (institution_id, sha256);
select arcada_wall('report_paper', 'institution_id = arcada_iid()', 'select, insert');
