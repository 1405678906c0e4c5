-- Files of an order on their way to somebody's disk, as one archive; it is written as it is read, and lies nowhere.
create table order_download (
  -- Who takes them; of a visitor by a link, whoever shares.
  institution_id uuid not null references institution,
  id uuid not null,
  sender_id uuid not null,
  order_id uuid not null,
  -- Null: a member.
  share_id uuid,
  files uuid[] not null,
  language text not null,
  created_at timestamptz not null default now(),
  primary key (institution_id, id),
  foreign key (sender_id, order_id) references orders on delete cascade,
  foreign key (institution_id, share_id) references share on delete cascade
);
create index order_download_by_age on order_download (created_at);
create index order_download_by_order on order_download (sender_id, order_id);
create index order_download_by_share on order_download (institution_id, share_id) where share_id is not null;
select arcada_wall('order_download', 'institution_id = arcada_iid()', 'select, insert');

-- Links to orders as well: pictures and revisions go along where whoever made the link chose so.
alter table share drop constraint share_kind_check;
alter table share add constraint share_kind_check check (kind in ('study', 'order'));
alter table share add column pictures boolean not null default false;
alter table share add column revisions uuid[] not null default '{}';
-- The link alone opens an order's models without names, and nothing more of it.
alter table share add constraint share_order_factor check (kind = 'study' or factor <> 'none' or not pictures);
