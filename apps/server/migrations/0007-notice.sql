create table notice (
  institution_id uuid,
  id uuid not null,
  user_id uuid not null references users,
  kind text not null,
  params jsonb not null default '{}',
  link text,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);
create index notice_unread on notice (user_id, created_at desc) where seen_at is null;
select arcada_wall('notice', 'user_id = arcada_uid()', 'select, update');
