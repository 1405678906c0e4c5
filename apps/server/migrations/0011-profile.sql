-- What was agreed to at registration, and when.
alter table users add column terms_version text, add column agreed_at timestamptz;

-- What went wrong in browsers, for whoever runs the service. No person is named: `reporter` is a keyed hash, for the
-- limit alone.
create table error_report (
  id uuid primary key,
  reporter text not null,
  message text not null,
  stack text not null default '',
  path text not null,
  agent text not null default '',
  happened_at timestamptz not null,
  at timestamptz not null default now()
);
create index error_report_by_reporter on error_report (reporter, at);
create index error_report_by_age on error_report (at);
select arcada_wall('error_report', 'false');
