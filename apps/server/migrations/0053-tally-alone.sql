-- A step of an order writes up to four of these, and each held its organisation's row until the commit: whoever moved
-- orders of one organisation at the same time met there. Only the triggers of orders write them, from columns that refer
-- to institutions themselves.
alter table order_tally drop constraint order_tally_institution_id_fkey;
