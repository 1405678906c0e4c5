-- Organisations whose packs may be installed and run: a model from outside works on this server. The operator decides.
create table engine_pack_permission (
  institution_id uuid primary key references institution,
  allowed_by uuid references users,
  allowed_at timestamptz not null default now()
);
select arcada_wall('engine_pack_permission', 'institution_id = arcada_iid()', 'select');
