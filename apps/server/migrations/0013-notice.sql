-- What a person has chosen otherwise than usual, per kind of notice; null leaves the usual.
create table notice_switch (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  site boolean,
  email boolean,
  primary key (user_id, kind)
);
select arcada_wall('notice_switch', 'user_id = arcada_uid()');
