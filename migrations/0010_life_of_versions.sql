-- What happened to a version: each change of it made a revision. No foreign key leads to the user: what somebody did
-- stays said when they are gone.
create table version_history (
  version_id uuid not null references api_version on delete cascade,
  revision integer not null,
  at timestamptz not null default date_trunc('milliseconds', now()),
  user_id uuid,
  action text not null,
  from_state text,
  to_state text not null,
  comment text,
  primary key (version_id, revision)
);

-- The workflow of versions. Its one row is there without a workflow too: whoever adds or changes a version locks it.
-- `initial` is what the document says of the state in which versions begin: state, listed, changeable.
create table workflow (
  only_one boolean primary key default true check (only_one),
  revision integer not null default 1,
  document json,
  initial json,
  check ((document is null) = (initial is null))
);

insert into workflow default values;

-- Whether the state of a version lets lists and search show it to its audience; `listing` is its audience there.
-- `changeable` says whether its state lets its content change.
alter table api_version add column listed boolean not null default true;
alter table api_version add column changeable boolean not null default true;
alter table api_version add column listing text not null generated always as (
    case
      when not listed or visibility = 'Limited' or api_visibility = 'Limited' then 'Limited'
      when visibility = 'RegisteredUsers' or api_visibility = 'RegisteredUsers' then 'RegisteredUsers'
      else 'Public'
    end) stored;

drop index api_version_by_name, api_version_by_created, api_version_by_updated,
  api_version_search_public, api_version_search_registered, api_version_search_limited;
create index api_version_by_name on api_version (listing, visibility, sort_name, id);
create index api_version_by_created on api_version (listing, visibility, created, id);
create index api_version_by_updated on api_version (listing, visibility, updated, id);
create index api_version_search_public on api_version using gin (search)
  with (gin_pending_list_limit = 256) where listing = 'Public';
create index api_version_search_registered on api_version using gin (search)
  with (gin_pending_list_limit = 256) where listing = 'RegisteredUsers';
create index api_version_search_limited on api_version using gin (search)
  with (gin_pending_list_limit = 256) where listing = 'Limited';

-- Removing a version asks which API it is the latest of.
create index api_by_latest_version on api (latest_version_id);

-- What takes the place of a version, and when it goes. Who may read the successor stands beside it: a read tells of it
-- without a look at another row. A group never changes, and the trigger keeps the audience true.
alter table api_version
  add column deprecated timestamptz,
  add column sunset timestamptz,
  add column successor_id uuid references api_version on delete set null,
  add column successor_audience text,
  add column successor_group_id uuid,
  add column deprecation_notes text,
  add column deprecation_changed timestamptz,
  add check (sunset >= deprecated),
  add check (deprecated is not null or (sunset is null and successor_id is null and deprecation_notes is null)),
  add check (successor_id is null or (successor_audience is not null and successor_group_id is not null));

create index api_version_by_deprecation on api_version (audience, visibility, deprecated, id) where deprecated is not null;
create index api_version_by_successor on api_version (successor_id) where successor_id is not null;

create function keep_successor_audience() returns trigger language plpgsql as $$
begin
  update api_version set successor_audience = new.audience where successor_id = new.id;
  return null;
end
$$;

create trigger keep_successor_audience after update on api_version
  for each row when (old.audience <> new.audience) execute function keep_successor_audience();

-- Who still reads deprecated versions: a user, or what a program calls itself.
create table version_reads (
  version_id uuid not null references api_version on delete cascade,
  day date not null,
  user_id uuid,
  agent text,
  reads bigint not null,
  unique nulls not distinct (version_id, day, user_id, agent),
  check ((user_id is null) <> (agent is null))
);

create index version_reads_by_day on version_reads (day);

-- Of the versions that there are, only their birth is known.
insert into version_history (version_id, revision, at, action, to_state)
select id, 1, created, '@Create', state from api_version;
