alter table taking drop constraint taking_kind_check, add constraint taking_kind_check check (kind in ('everything', 'trail', 'orders'));

-- The states as they follow each other, first the highest: newest first within a state then runs the same way.
create function order_rank(state text) returns int language sql immutable parallel safe
  as $$ select 12 - coalesce(array_position(array['draft', 'awaiting_sending', 'pending', 'awaiting_scheme', 'awaiting_design',
    'awaiting_dispatch', 'awaiting_receipt', 'forwarded', 'completed', 'cancelled', 'refused'], state), 12) $$;
-- What an order is called by those who look for its number: as it is written, and without its dash.
create function order_haystack(number text) returns text language sql immutable parallel safe
  as $$ select lower(number) || E'\n' || replace(number, '-', '') $$;
create function order_grams(number text) returns text[] language sql immutable parallel safe
  as $$ select array[left(number, 1), left(number, 2), left(split_part(number, '-', 2), 1), left(split_part(number, '-', 2), 2)] $$;

create index orders_sent_by_state on orders (institution_id, order_rank(state), updated_at, id);
create index orders_received_by_state on orders (receiver_id, order_rank(state), updated_at, id) where handed_over_at is not null;
create index orders_sent_by_due on orders (institution_id, coalesce(promised_date, due_date, 'infinity'), id);
create index orders_received_by_due on orders (receiver_id, coalesce(promised_date, due_date, 'infinity'), id) where handed_over_at is not null;
create index orders_sent_waiting on orders (institution_id, updated_at, id) where turn = 'sender';
create index orders_received_waiting on orders (receiver_id, updated_at, id) where turn = 'receiver' and handed_over_at is not null;
create index orders_sent_by_person on orders (institution_id, creator_id, updated_at, id);
create index orders_received_by_person on orders (receiver_id, assignee_id, updated_at, id) where handed_over_at is not null;

-- An order as one organisation finds it in its list: what of it moves with no step. One row for the sender, one for the
-- receiver from the hand-over on, with the name that each may know. `worded`: its words are written; they are made of
-- Chinese names by the product, not by SQL.
create table order_entry (
  institution_id uuid not null references institution,
  order_id uuid not null,
  owner_id uuid not null references institution,
  number text collate "C" not null,
  other_id uuid references institution,
  case_type text not null,
  created_at timestamptz(3) not null,
  sort_name text collate "C" not null default '',
  haystack text not null,
  grams text[] not null,
  worded boolean not null default false,
  primary key (institution_id, order_id)
);
create index order_entry_by_number on order_entry (institution_id, number, order_id);
create index order_entry_by_creation on order_entry (institution_id, created_at, order_id);
create index order_entry_by_patient on order_entry (institution_id, sort_name, order_id);
create index order_entry_by_other on order_entry (institution_id, other_id, created_at, order_id);
create index order_entry_by_case on order_entry (institution_id, case_type, created_at, order_id);
create index order_entry_unworded on order_entry (institution_id, order_id) where not worded;
create index order_entry_haystack on order_entry using gin (institution_id, haystack gin_trgm_ops) with (fastupdate = off);
create index order_entry_grams on order_entry using gin (institution_id, grams) with (fastupdate = off);
select arcada_wall('order_entry', 'institution_id = arcada_iid()', 'select');

-- How many orders stand in each state: rows that are added up, since those who move orders of one organisation at the
-- same time would wait for each other at a single one. A sweeper adds them together.
create table order_tally (
  institution_id uuid not null references institution,
  state text not null,
  -- Whether it waits for this organisation.
  mine boolean not null,
  n int not null
);
create index order_tally_of on order_tally (institution_id) include (state, mine, n);
select arcada_wall('order_tally', 'institution_id = arcada_iid()', 'select');

-- How a person likes to look at the list: filters, order and columns under a name; without one, the columns as they were last.
create table order_look (
  institution_id uuid not null references institution,
  user_id uuid not null references users,
  id uuid not null,
  name text,
  filter jsonb not null default '{}',
  columns text[],
  standard boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (institution_id, user_id, id)
);
create unique index order_look_by_name on order_look (institution_id, user_id, name) nulls not distinct;
create unique index order_look_standard on order_look (institution_id, user_id) where standard;
select arcada_wall('order_look', 'institution_id = arcada_iid() and user_id = arcada_uid()');

create view order_entry_of as
  select e.reader as institution_id, o.id as order_id, o.institution_id as owner_id, o.number, e.other as other_id, o.case_type, o.created_at,
    coalesce(e.sort_name, '') as sort_name, order_haystack(o.number) || coalesce(E'\n' || e.haystack, '') as haystack,
    order_grams(o.number) || coalesce(e.grams, '{}') as grams, e.haystack is not null as worded
  from orders o left join patient p on p.institution_id = o.institution_id and p.id = o.patient_id,
  lateral (
    select o.institution_id as reader, o.receiver_id as other, p.sort_name, p.haystack, p.grams
    union all
    select o.receiver_id, o.institution_id, null, null, null where o.handed_over_at is not null
  ) e;
create function order_was_made() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into order_entry
    select e.* from made n join order_entry_of e on e.owner_id = n.institution_id and e.order_id = n.id;
  insert into order_tally
    select institution_id, state, turn = 'sender', count(*) from made group by 1, 2, 3
    union all
    select receiver_id, state, turn = 'receiver', count(*) from made where handed_over_at is not null group by 1, 2, 3;
  return null;
end $$;
create function order_was_changed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into order_entry
    select e.* from order_entry_of e where e.owner_id = new.institution_id and e.order_id = new.id
    on conflict (institution_id, order_id) do update set other_id = excluded.other_id, case_type = excluded.case_type,
      sort_name = excluded.sort_name, haystack = excluded.haystack, grams = excluded.grams, worded = excluded.worded;
  return null;
end $$;
create function order_was_moved() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into order_tally
  select v.* from (
    select institution_id, state, mine, sum(n) as n from (values
      (old.institution_id, old.state, old.turn = 'sender', -1),
      (new.institution_id, new.state, new.turn = 'sender', 1),
      (case when old.handed_over_at is not null then old.receiver_id end, old.state, old.turn = 'receiver', -1),
      (case when new.handed_over_at is not null then new.receiver_id end, new.state, new.turn = 'receiver', 1)
    ) as each_side (institution_id, state, mine, n)
    where institution_id is not null group by 1, 2, 3
  ) v where v.n <> 0;
  return null;
end $$;
create function order_was_removed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from order_entry e using gone g where e.order_id = g.id and e.institution_id in (g.institution_id, g.receiver_id);
  insert into order_tally
    select institution_id, state, turn = 'sender', -count(*) from gone group by 1, 2, 3
    union all
    select receiver_id, state, turn = 'receiver', -count(*) from gone where handed_over_at is not null group by 1, 2, 3;
  return null;
end $$;
-- The sender knows the patient by the record as it is today.
create function order_patient_renamed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update order_entry e set sort_name = new.sort_name,
    haystack = order_haystack(e.number) || E'\n' || new.haystack, grams = order_grams(e.number) || new.grams
  from orders o where o.institution_id = new.institution_id and o.patient_id = new.id
    and e.institution_id = new.institution_id and e.order_id = o.id;
  return null;
end $$;

-- Row-level security keeps LIKE and @> away from the indexes (decision 5): these views hold the wall themselves.
create view order_entry_mine as select * from order_entry where institution_id = arcada_iid();
create view order_side as
  select 'sender' as side, o.institution_id as owner_id, o.id, o.state, order_rank(o.state) as rank, o.turn = 'sender' as mine,
    o.creator_id as person_id, o.patient_id, o.updated_at, coalesce(o.promised_date, o.due_date, 'infinity') as due
  from orders o where o.institution_id = arcada_iid()
  union all
  select 'receiver', o.institution_id, o.id, o.state, order_rank(o.state), o.turn = 'receiver',
    o.assignee_id, null, o.updated_at, coalesce(o.promised_date, o.due_date, 'infinity')
  from orders o where o.receiver_id = arcada_iid() and o.handed_over_at is not null;

grant create on schema public to arcada_system;
alter function order_was_made() owner to arcada_system;
alter function order_was_changed() owner to arcada_system;
alter function order_was_moved() owner to arcada_system;
alter function order_was_removed() owner to arcada_system;
alter function order_patient_renamed() owner to arcada_system;
alter view order_entry_of owner to arcada_system;
alter view order_entry_mine owner to arcada_system;
alter view order_side owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on order_entry_mine, order_side to arcada_app;

create trigger made after insert on orders referencing new table as made for each statement execute function order_was_made();
create trigger removed after delete on orders referencing old table as gone for each statement execute function order_was_removed();
create trigger moved after update on orders for each row
  when ((old.state, old.turn, old.receiver_id, old.handed_over_at is null) is distinct from (new.state, new.turn, new.receiver_id, new.handed_over_at is null))
  execute function order_was_moved();
create trigger changed after update on orders for each row
  when ((old.receiver_id, old.case_type, old.patient_id, old.patient_name, old.patient_number, old.handed_over_at is null)
    is distinct from (new.receiver_id, new.case_type, new.patient_id, new.patient_name, new.patient_number, new.handed_over_at is null))
  execute function order_was_changed();
create trigger renamed after update on patient for each row
  when ((old.haystack, old.sort_name) is distinct from (new.haystack, new.sort_name)) execute function order_patient_renamed();

do $$
begin
  set local role arcada_system;
  insert into order_entry select e.* from order_entry_of e;
  insert into order_tally
    select institution_id, state, turn = 'sender', count(*) from orders group by 1, 2, 3
    union all
    select receiver_id, state, turn = 'receiver', count(*) from orders where handed_over_at is not null group by 1, 2, 3;
  reset role;
end $$;
