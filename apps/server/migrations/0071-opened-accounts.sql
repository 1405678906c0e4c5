-- After-sales staff who opened an organisation together with the account of its first manager, who has not asked for it.
alter table institution add column opened_by uuid references users;
create index institution_by_opener on institution (opened_by, created_at) where opened_by is not null;

-- Since when a member lets programs of the organisation open this product as them; null: not.
alter table membership add column launch_allowed_at timestamptz;
