-- The free base of an organisation where the operator changed it; without a row, the product's own base applies.
create table institution_quota (
  institution_id uuid primary key references institution on delete cascade,
  gigabytes int not null check (gigabytes >= 0),
  analyses int not null check (analyses >= 0),
  changed_at timestamptz not null default now()
);
select arcada_wall('institution_quota', 'institution_id = arcada_iid() or arcada_service()', 'select');
