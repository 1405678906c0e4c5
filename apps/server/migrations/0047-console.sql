-- The trail of all organisations, by its time alone and by what was done: the operator looks through it.
create index audit_by_time on audit (at desc, id desc);
create index audit_by_action on audit (action, at desc, id desc);

-- Walks along the trail's chain. `broken` is the number of the first row that does not fit.
create table audit_check (
  id uuid primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  rows bigint,
  broken bigint
);
create index audit_check_newest on audit_check (started_at desc);
select arcada_wall('audit_check', 'arcada_service()', 'select');

-- What an organisation's figures are made of: orders by the day on which they ended, works that were made or delivered
-- again, and what came into the store.
create index orders_sent_done on orders (institution_id, completed_at)
  include (receiver_id, handed_over_at, accepted_at, dispatched_at) where state = 'completed';
create index orders_received_done on orders (receiver_id, completed_at)
  include (institution_id, handed_over_at, accepted_at, dispatched_at) where state = 'completed' and handed_over_at is not null;
create index orders_sent_again on orders (institution_id, updated_at) where remake_of is not null or redelivery_count > 0;
create index orders_received_again on orders (receiver_id, updated_at)
  where (remake_of is not null or redelivery_count > 0) and handed_over_at is not null;
create index stored_file_by_time on stored_file (institution_id, created_at) include (bytes);

-- Who works for the service has one place there.
create unique index membership_of_service on membership (user_id)
  where institution_id is null and state = 'normal' and authority_id in (700, 701);
