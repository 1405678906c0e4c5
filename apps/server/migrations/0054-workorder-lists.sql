-- Whose work orders somebody may read and has reported: a list reads of each reason no more than a page.
create index work_order_by_alternate on work_order (alternate_id, id desc) where alternate_id is not null;
create index work_order_by_creator on work_order (created_by, id desc);
create index work_order_event_by_user on work_order_event (user_id, work_order_id desc) include (action) where user_id is not null;
-- Clinics with work to be done are few, and what is done is most of the table.
create index work_order_open on work_order (clinic_id) where state not in ('finished', 'closed');
