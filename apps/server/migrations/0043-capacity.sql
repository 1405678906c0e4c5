-- Capacity that is sold as cards: a number that may be read by anybody, and a secret of which only the keyed hash is kept.
create table capacity_card (
  id uuid primary key,
  number text not null unique,
  secret_hash text not null,
  -- Cards that were issued, and printed, together.
  batch_id uuid not null,
  gigabytes int not null check (gigabytes >= 0),
  analyses int not null check (analyses >= 0),
  days int not null check (days > 0),
  sell_by timestamptz not null,
  state text not null default 'issued' check (state in ('issued', 'in_effect', 'expired', 'void')),
  -- Wrong secrets in all: too many of them, and the card is dead.
  tries int not null default 0,
  issued_by uuid not null references users,
  issued_at timestamptz not null default now(),
  -- Null until it is activated.
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

-- What an organisation has besides the free base, from when until when: out of a card, or out of a plan that was paid for.
create table capacity_period (
  institution_id uuid not null references institution,
  id uuid not null,
  -- One of the two.
  card_id uuid unique references capacity_card,
  plan text,
  gigabytes int not null,
  analyses int not null,
  -- Of one term; a subscription that is renewed has several of them, one behind the other.
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
  -- The smallest number of days before the expiry that was told of.
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

-- What somebody has asked for and has to be paid first.
create table capacity_payment (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('subscribe', 'renew', 'renewLate')),
  plan text not null,
  -- Null: of a new subscription.
  period_id uuid,
  -- When a new subscription shall begin, where that is not at once.
  starts_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'declined', 'withdrawn')),
  -- Null: a renewal that the system asks for.
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
create unique index capacity_payment_of_plan on capacity_payment (institution_id, plan) where state = 'waiting' and kind = 'subscribe';
create unique index capacity_payment_of_period on capacity_payment (institution_id, period_id) where state = 'waiting';
create index capacity_payment_waiting on capacity_payment (asked_at) where state = 'waiting';
select arcada_wall('capacity_payment', 'institution_id = arcada_iid() or arcada_service()', 'select');

-- Secrets that did not fit, by who tried them.
create table capacity_try (
  user_id uuid not null references users on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  primary key (user_id, id)
);
create index capacity_try_age on capacity_try (at);
select arcada_wall('capacity_try', 'false');

-- Out of which period an analysis was taken; null: out of the free base.
alter table quota_ledger add column period_id uuid;
