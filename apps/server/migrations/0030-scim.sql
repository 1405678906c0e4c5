-- People and groups that an organisation's identity provider sends by SCIM 2.0.

create table scim_user (
  institution_id uuid not null references institution,
  id uuid not null,
  -- The person's name at the identity provider. It is unique without regard to case (RFC 7643, 4.1.1).
  user_name text not null,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  formatted_name text,
  emails jsonb not null,
  -- The address by which the person was found or invited.
  email text not null,
  -- Whether the identity provider wants the person to be a member.
  active boolean not null,
  -- The account; null while nobody has accepted the invitation.
  account_id uuid references users on delete set null,
  admission_id uuid references admission (id) on delete set null,
  -- The role that the groups gave; null: a role that people chose.
  granted_authority int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  primary key (institution_id, id)
);
create unique index scim_user_by_name on scim_user (institution_id, lower(user_name));
create unique index scim_user_by_account on scim_user (institution_id, account_id);
create index scim_user_by_external_id on scim_user (institution_id, external_id);
create index scim_user_by_age on scim_user (institution_id, created_at, id);
select arcada_wall('scim_user', 'institution_id = arcada_iid()');

create table scim_group (
  institution_id uuid not null references institution,
  id uuid not null,
  display_name text not null,
  external_id text,
  -- The role that its members get in the organisation; null: none.
  authority_id int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  primary key (institution_id, id)
);
create unique index scim_group_by_name on scim_group (institution_id, lower(display_name));
select arcada_wall('scim_group', 'institution_id = arcada_iid()');

create table scim_group_member (
  institution_id uuid not null,
  group_id uuid not null,
  member_id uuid not null,
  primary key (institution_id, group_id, member_id),
  foreign key (institution_id, group_id) references scim_group on delete cascade,
  foreign key (institution_id, member_id) references scim_user on delete cascade
);
create index scim_group_member_by_member on scim_group_member (institution_id, member_id);
select arcada_wall('scim_group_member', 'institution_id = arcada_iid()');

-- What the groups of an identity provider gave a person at a sign-in. At the next sign-in only this is changed or taken
-- back; what people decided stays.
create table provider_grant (
  institution_id uuid not null references institution,
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  authority_id int not null,
  -- True if the membership itself came from the groups, false if they raised the role of a member.
  joined boolean not null,
  granted_at timestamptz not null default now(),
  primary key (institution_id, user_id, issuer)
);
create index provider_grant_by_user on provider_grant (user_id, issuer);
select arcada_wall('provider_grant', 'false');
