-- Files that users have sent to import, for a day, each with the version that it describes as it was read.
create table dropbox_file (
  id bigint primary key generated always as identity,
  user_id uuid not null references app_user on delete cascade,
  file_name text not null,
  media_type text not null,
  descriptor_type text not null,
  service_name text not null,
  version json not null,
  bytes bytea not null,
  created timestamptz not null default now()
);

create index dropbox_file_by_user on dropbox_file (user_id, id desc);
create index dropbox_file_by_age on dropbox_file (created);

-- The document that a version was imported from, unchanged.
create table imported_original (
  version_id uuid primary key references api_version on delete cascade,
  file_name text not null,
  media_type text not null,
  bytes bytea not null
);
