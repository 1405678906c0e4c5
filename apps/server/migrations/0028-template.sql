-- What a clinic writes in its prescriptions again and again: a person's own, or for everyone there.
create table order_template (
  institution_id uuid not null references institution,
  id uuid not null,
  user_id uuid not null references users,
  name text not null,
  for_all boolean not null,
  -- The lab for which it is meant; with is_default it fills what was left open as soon as that lab is chosen.
  target_id uuid references institution,
  is_default boolean not null default false check (target_id is not null or not is_default),
  content jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (institution_id, id)
);
-- One default for a lab in a clinic, and one of each person's own, which goes first.
create unique index order_template_default on order_template (institution_id, target_id) where is_default and for_all;
create unique index order_template_own_default on order_template (institution_id, user_id, target_id) where is_default and not for_all;
select arcada_wall('order_template', 'institution_id = arcada_iid() and (for_all or user_id = arcada_uid())');
