-- Who asked for a code (a known device or a network), from which browser, and the part of its hash that only processes
-- which ran then can open.
alter table verification add column asker text not null default '', add column browser text, add column sealed jsonb not null default '{}';
create index verification_by_asker on verification (target, created_at);

-- The public half of a key that each answering process holds in its memory.
create table code_key (
  process uuid primary key,
  public_key text not null,
  seen_at timestamptz not null default now()
);
select arcada_wall('code_key', 'false');

-- Cards and activation codes hold 80 random bits: wrong tries are counted for whoever makes them, and kill no code.
alter table device drop column code_tries;
alter table capacity_card drop column tries;
