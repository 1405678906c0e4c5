-- The zone in which an organisation's days begin; null: that of its country. A zone that this database does not know is no
-- zone: every list, figure and number of the day would fail by it.
create function arcada_is_zone(name text) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform timestamptz 'epoch' at time zone name;
  return true;
exception when others then
  return false;
end $$;
alter table institution add column time_zone text
  check (time_zone is null or (length(time_zone) <= 60 and arcada_is_zone(time_zone)));
