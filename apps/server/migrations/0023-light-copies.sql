-- Light copies of scans go like other files for viewers when nobody has looked at them for long. A row without a content
-- says: there was one, and it is made again for whoever opens an order with the scan.
alter table order_glb alter column sha256 drop not null;
alter table order_glb add column used_at timestamptz not null default now();
create index order_glb_unused on order_glb (used_at) where sha256 is not null;
