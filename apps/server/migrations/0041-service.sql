-- Whoever looks after devices works outside every organisation: set for one transaction, as who asks is. Tables of the
-- service name arcada_service() in their wall; those of patients, images and orders never do.
create function arcada_service() returns boolean language sql stable parallel safe
  as $$ select current_setting('arcada.service', true) = 'on' $$;
