-- What documents and ids were written with: another value would make the stored ones wrong.
create table deployment (
  only_one boolean primary key default true check (only_one),
  fedmember_id text not null,
  identifier_prefix text not null
);

create table login_domain (
  id text primary key,
  kind text not null check (kind in ('local')),
  domain_name text,
  display_mode text,
  title text not null,
  sequence integer not null,
  virtual_hosts text[] not null default '{}',
  logo_assigned boolean not null default false,
  enabled boolean not null default true
);

insert into login_domain (id, kind, title, sequence) values ('siteusers', 'local', 'Site Users', -1);

create table app_user (
  id uuid primary key,
  domain_id text not null references login_domain,
  user_name text not null,
  email text not null,
  password_hash text,
  enabled boolean not null default true,
  created timestamptz not null default date_trunc('milliseconds', now()),
  updated timestamptz not null default date_trunc('milliseconds', now())
);

-- Only the users of the built-in domain are found by name or address; elsewhere neither proves who somebody is.
create unique index app_user_local_email on app_user (lower(email)) where domain_id = 'siteusers';
create unique index app_user_local_user_name on app_user (lower(user_name)) where domain_id = 'siteusers';

create table role_grant (
  user_id uuid not null references app_user on delete cascade,
  role text not null check (role in ('SiteAdmin', 'BusinessAdmin')),
  primary key (user_id, role)
);

create table session (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  started timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  ended timestamptz
);

create index session_by_user on session (user_id);
create index session_by_last_seen on session (last_seen);

-- Failed sign-ins by account name and by address.
create table sign_in_throttle (
  subject text primary key,
  failures integer not null,
  window_started timestamptz not null default now(),
  blocked_until timestamptz not null default now()
);

create index sign_in_throttle_blocked_until on sign_in_throttle (blocked_until);

create table admin_group (
  id uuid primary key,
  created timestamptz not null default now()
);

create table group_member (
  group_id uuid not null references admin_group on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  primary key (group_id, user_id)
);

create index group_member_user on group_member (user_id);

create table api (
  id uuid primary key,
  name text not null,
  description text,
  visibility text not null check (visibility in ('Public', 'RegisteredUsers', 'Limited')),
  tags text[] not null,
  picture_id text,
  admin_group_id uuid not null references admin_group,
  latest_version_id uuid not null,
  created timestamptz not null default date_trunc('milliseconds', now()),
  updated timestamptz not null default date_trunc('milliseconds', now())
);

create index api_admin_group on api (admin_group_id);

-- doc is exactly the JSON that clients read; every change rewrites it together with the columns beside it.
create table api_version (
  id uuid primary key,
  api_id uuid not null references api on delete cascade,
  name text not null,
  visibility text not null check (visibility in ('Public', 'RegisteredUsers', 'Limited')),
  state text not null,
  created timestamptz not null,
  updated timestamptz not null,
  revision integer not null default 1,
  doc json not null,
  unique (api_id, name)
);

create index api_version_by_age on api_version (api_id, created desc, id desc);

alter table api add foreign key (latest_version_id) references api_version (id) deferrable initially deferred;
