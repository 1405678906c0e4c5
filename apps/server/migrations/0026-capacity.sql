-- Storage and analyses that organisations buy.

-- Capacity is sold as cards with a public number and a secret, of which only the keyed hash is stored.
create table capacity_card (
  id uuid primary key,
  number text not null unique,
  secret_hash text not null,
  -- Cards that were issued and printed together.
  batch_id uuid not null,
  gigabytes int not null check (gigabytes >= 0),
  analyses int not null check (analyses >= 0),
  days int not null check (days > 0),
  sell_by timestamptz not null,
  state text not null default 'issued' check (state in ('issued', 'in_effect', 'expired', 'void')),
  issued_by uuid not null references users,
  issued_at timestamptz not null default now(),
  -- Null until the card is activated.
  institution_id uuid references institution,
  voided_by uuid references users,
  voided_at timestamptz,
  void_reason text,
  check ((state in ('in_effect', 'expired')) = (institution_id is not null)),
  check ((state = 'void') = (voided_at is not null)),
  check (gigabytes > 0 or analyses > 0)
);
create index capacity_card_by_age on capacity_card (issued_at desc, number);
create index capacity_card_by_batch on capacity_card (batch_id);
select arcada_wall('capacity_card', 'institution_id = arcada_iid() or arcada_service()', 'select');

-- Capacity beyond the free base for a period of time, from a card or from a paid plan.
create table capacity_period (
  institution_id uuid not null references institution,
  id uuid not null,
  -- Exactly one of the two is set.
  card_id uuid unique references capacity_card,
  plan text,
  gigabytes int not null,
  analyses int not null,
  -- The length of one term. A renewed subscription has several consecutive terms.
  days int not null check (days > 0),
  state text not null check (state in ('subscribed', 'in_effect', 'unsubscribed', 'expired')),
  auto_renew boolean not null,
  -- Null: the system, when a payment was confirmed.
  made_by uuid references users,
  subscribed_at timestamptz not null default now(),
  activated_at timestamptz,
  unsubscribed_at timestamptz,
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  expired_at timestamptz,
  -- The smallest number of days before the expiry for which a reminder was sent.
  told_days int,
  version int not null default 0,
  primary key (institution_id, id),
  check ((card_id is null) <> (plan is null)),
  check (not (auto_renew and card_id is not null)),
  check (expires_at > starts_at),
  check ((state = 'expired') = (expired_at is not null))
);
create unique index capacity_period_id on capacity_period (id);
create index capacity_period_due on capacity_period (expires_at) where state <> 'expired';
create index capacity_period_coming on capacity_period (starts_at) where state = 'subscribed';
select arcada_wall('capacity_period', 'institution_id = arcada_iid() or arcada_service()', 'select');

-- Requests that must be paid first.
create table capacity_payment (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('subscribe', 'renew', 'renewLate')),
  plan text not null,
  -- Null for a new subscription.
  period_id uuid,
  -- When a new subscription begins, if not immediately.
  starts_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'declined', 'withdrawn')),
  -- Null: a renewal requested by the system.
  asked_by uuid references users,
  asked_at timestamptz not null default now(),
  decided_by uuid references users,
  decided_at timestamptz,
  reason text,
  primary key (institution_id, id),
  foreign key (institution_id, period_id) references capacity_period,
  check ((kind = 'subscribe') = (period_id is null))
);
create unique index capacity_payment_id on capacity_payment (id);
create unique index capacity_payment_of_plan on capacity_payment (institution_id, plan)
  where state = 'waiting' and kind = 'subscribe';
create unique index capacity_payment_of_period on capacity_payment (institution_id, period_id) where state = 'waiting';
create index capacity_payment_waiting on capacity_payment (asked_at) where state = 'waiting';
select arcada_wall('capacity_payment', 'institution_id = arcada_iid() or arcada_service()', 'select');

-- Wrong secrets, by the person who tried them.
create table capacity_try (
  user_id uuid not null references users on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  primary key (user_id, id)
);
create index capacity_try_age on capacity_try (at);
select arcada_wall('capacity_try', 'false');

-- The free base of an organisation where the operator changed it; without a row, the product's own base applies.
create table institution_quota (
  institution_id uuid primary key references institution on delete cascade,
  gigabytes int not null check (gigabytes >= 0),
  analyses int not null check (analyses >= 0),
  changed_at timestamptz not null default now()
);
select arcada_wall('institution_quota', 'institution_id = arcada_iid() or arcada_service()', 'select');
