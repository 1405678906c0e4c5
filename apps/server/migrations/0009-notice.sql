-- Notices to people.

create table notice (
  institution_id uuid,
  id uuid not null,
  user_id uuid not null references users,
  kind text not null,
  params jsonb not null default '{}',
  link text,
  -- The thing that it is about, such as order:<id>: notices of one topic form a group.
  topic text not null default gen_random_uuid()::text,
  -- Further events of one upload raise the count instead of adding a row.
  count int not null default 1,
  -- Something is to be done.
  waits boolean not null default false,
  -- The next daily email of this person contains it.
  mail_due boolean not null default false,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz(3) not null default now(),
  primary key (user_id, id)
);
create index notice_unread on notice (user_id, created_at desc) where seen_at is null;
create index notice_by_topic on notice (user_id, topic, changed_at desc);
create index notice_waiting on notice (topic) where waits;
create index notice_to_do on notice (user_id, topic) where waits;
create index notice_mail_due on notice (user_id) where mail_due;
create unique index notice_growing on notice (user_id, topic, kind) where kind in ('studyReady', 'studyWaiting');
create index notice_by_age on notice (created_at);
select arcada_wall('notice', 'user_id = arcada_uid()', 'select, update');

-- A person's choices for all notices; without a row the defaults of the contract.
create table notice_preference (
  user_id uuid primary key references users on delete cascade,
  preset text check (preset in ('everything', 'waits', 'mine', 'quiet', 'custom')),
  mail text not null default 'now' check (mail in ('now', 'daily', 'off')),
  -- The local day of the last daily email.
  mailed_on date
);
select arcada_wall('notice_preference', 'user_id = arcada_uid()');

-- A person's own switches for each kind of notice, in force with the preset `custom`; null keeps the default.
create table notice_switch (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  site boolean,
  email boolean,
  primary key (user_id, kind)
);
select arcada_wall('notice_switch', 'user_id = arcada_uid()');
