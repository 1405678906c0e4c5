-- Each side by itself: PostgreSQL walks no index in order beneath a view that puts both together.
drop view order_side;
create view order_sent as
  select o.institution_id as owner_id, o.id, order_rank(o.state) as rank, o.turn = 'sender' as mine,
    o.creator_id as person_id, o.patient_id, o.receiver_id as other_id, o.case_type, o.created_at, o.updated_at,
    coalesce(o.promised_date, o.due_date, 'infinity') as due
  from orders o where o.institution_id = arcada_iid();
create view order_received as
  select o.institution_id as owner_id, o.id, order_rank(o.state) as rank, o.turn = 'receiver' as mine,
    o.assignee_id as person_id, null::uuid as patient_id, o.institution_id as other_id, o.case_type, o.created_at, o.updated_at,
    coalesce(o.promised_date, o.due_date, 'infinity') as due
  from orders o where o.receiver_id = arcada_iid() and o.handed_over_at is not null;

grant create on schema public to arcada_system;
alter view order_sent owner to arcada_system;
alter view order_received owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on order_sent, order_received to arcada_app;
