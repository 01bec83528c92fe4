-- Directories and OpenID Connect providers as login domains.
alter table login_domain
  drop constraint login_domain_kind_check,
  add constraint login_domain_kind_check check (kind in ('local', 'ldap', 'oidc')),
  -- Whether somebody who comes through it for the first time becomes a user.
  add column provisions boolean not null default true,
  -- Whether it serves the OAuth login service.
  add column serves_oauth boolean not null default false,
  -- Of its kind, without the secret, which is stored encrypted.
  add column settings json not null default '{}',
  add column secret text,
  add column role_rules json not null default '[]',
  add column revision integer not null default 1;

create unique index login_domain_name on login_domain (lower(domain_name));

create table login_domain_logo (
  domain_id text primary key references login_domain on delete cascade,
  media_type text not null,
  bytes bytea not null
);

-- Who vouches for a person of another domain, and what it calls them for ever.
alter table app_user
  add column issuer text,
  add column subject text,
  add constraint app_user_identity unique (domain_id, issuer, subject);

-- What a rule gave is taken back when the rule no longer holds; what a person gave is not.
alter table role_grant add column by_rule boolean not null default false;
alter table group_member add column by_rule boolean not null default false;

alter table session add column interface text not null default 'main' check (interface in ('main', 'oauth'));

-- Sign-ins that are under way at a provider. The id is the digest of a secret that only the browser has.
create table sign_in_flow (
  id text primary key,
  domain_id text not null references login_domain on delete cascade,
  interface text not null check (interface in ('main', 'oauth')),
  state text not null,
  nonce text not null,
  code_verifier text not null,
  final_url text,
  started timestamptz not null default now()
);

create index sign_in_flow_by_age on sign_in_flow (started);

-- Lists of users by the beginning of their name or address, of one domain or all.
create index app_user_by_name on app_user (lower(user_name) collate "C", id);
create index app_user_by_email on app_user (lower(email) collate "C", id);
create index app_user_of_domain_by_name on app_user (domain_id, lower(user_name) collate "C", id);
create index app_user_of_domain_by_email on app_user (domain_id, lower(email) collate "C", id);
