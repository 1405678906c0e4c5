-- Notices to people.

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
create index notice_by_age on notice (created_at);
select arcada_wall('notice', 'user_id = arcada_uid()', 'select, update');

-- A person's own settings for each kind of notice; null keeps the default.
create table notice_switch (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  site boolean,
  email boolean,
  primary key (user_id, kind)
);
select arcada_wall('notice_switch', 'user_id = arcada_uid()');
