-- A number for work, shown to partner organisations in place of the one that the account signs in with.
alter table users add column work_phone text;

-- Whether partners see the phones of the people in charge of an order. Organisations that were here before keep theirs
-- to themselves until a manager decides otherwise.
alter table institution add column share_phones boolean not null default false;
alter table institution alter column share_phones set default true;

-- Who made the order, where creator_id has become the person responsible for it. Null in orders from before: the same.
alter table orders add column made_by uuid references users;

-- How the two sides of an order are reached, for a reader of one of them. It runs as arcada_system, since phones lie behind
-- the walls of accounts; a phone is that of somebody who still works there.
create function arcada_order_contact(side uuid, person uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'person', (select coalesce(nullif(u.nick_name, ''), u.user_name) from users u where u.id = person),
    'phone', (select coalesce(nullif(u.work_phone, ''), case when i.share_phones then
          coalesce(c.country_code || ' ', '') || substr(c.value, length(coalesce(c.country_code, '')) + 1) end)
        from membership m join users u on u.id = m.user_id
        left join contact c on c.user_id = u.id and c.kind = 'phone'
        where m.institution_id = i.id and m.user_id = person and m.state = 'normal'),
    'contactPerson', i.contact_person, 'contactWay', i.contact_way, 'address', i.address)
  from institution i where i.id = side
$$;
create function arcada_order_contacts(house uuid, wanted uuid) returns jsonb
  language sql stable security definer set search_path = public as $$
  select jsonb_build_object('sender', arcada_order_contact(o.institution_id, o.creator_id),
    'receiver', arcada_order_contact(o.receiver_id, o.assignee_id))
  from orders o where o.institution_id = house and o.id = wanted
    and (o.institution_id = arcada_iid() or o.receiver_id = arcada_iid() and o.handed_over_at is not null)
$$;
grant create on schema public to arcada_system;
alter function arcada_order_contacts(uuid, uuid) owner to arcada_system;
revoke create on schema public from arcada_system;
revoke execute on function arcada_order_contacts(uuid, uuid) from public;
grant execute on function arcada_order_contacts(uuid, uuid) to arcada_app, arcada_system;
