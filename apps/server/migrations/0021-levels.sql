-- A scan's light copy for the screen, and half the resolution of volumes that are too large for some graphics processors.
alter table converted_file drop constraint converted_file_role_check;
alter table converted_file add constraint converted_file_role_check
  check (role in ('picture', 'preview', 'half', 'group', 'mesh'));

-- Light copies of scans that came with orders, by the content of the original.
create table order_glb (
  institution_id uuid not null references institution,
  original text not null check (original ~ '^[0-9a-f]{64}$'),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- mm that a vertex has moved at most.
  error real not null,
  primary key (institution_id, original)
);
create index order_glb_by_content on order_glb (institution_id, sha256);
select arcada_wall('order_glb', 'institution_id = arcada_iid()');
create policy received on order_glb for select to arcada_app using (exists (
  select from order_file f where f.owner_id = order_glb.institution_id and f.sha256 = order_glb.original));
