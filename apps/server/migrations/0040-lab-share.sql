-- What the sender lets the lab do with links to this order; null: as the prescription says.
alter table orders add column receiver_shares boolean;

-- Who made a link: the organisation whose data it shows, or the lab that may share an order of it.
alter table share add column house_id uuid references institution;
update share set house_id = institution_id;
alter table share alter column house_id set not null;
create index share_by_house on share (house_id, created_at desc, id desc) where house_id <> institution_id;
drop policy own on share;
create policy own on share to arcada_app using (institution_id = arcada_iid() or house_id = arcada_iid())
  with check (institution_id = arcada_iid() or house_id = arcada_iid());
drop policy own on share_event;
create policy own on share_event to arcada_app
  using (institution_id = arcada_iid() or exists (select from share h
    where h.institution_id = share_event.institution_id and h.id = share_id and h.house_id = arcada_iid()))
  with check (institution_id = arcada_iid() or exists (select from share h
    where h.institution_id = share_event.institution_id and h.id = share_id and h.house_id = arcada_iid()));
