-- What a device, or the gateway before it, said last of what waits there.
alter table device add column waiting int, add column said_at timestamptz;
