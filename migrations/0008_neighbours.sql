-- Who follows which API.
create table api_follower (
  api_id uuid not null references api on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  primary key (api_id, user_id)
);

create index api_follower_by_user on api_follower (user_id);

-- Ratings of versions. How many of one, two, ... five a version has stands in its row and its document too, which the
-- trigger keeps true, also where ratings go with their user. What an edit must not overwrite is told by `revision`,
-- another state of the ratings by `ratings_changed`.
create table version_rating (
  version_id uuid not null references api_version on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  rating smallint not null check (rating between 1 and 5),
  primary key (version_id, user_id)
);

create index version_rating_by_user on version_rating (user_id);

alter table api_version
  add column ratings integer[] not null default '{0,0,0,0,0}',
  add column ratings_changed integer not null default 0,
  add column is_rated boolean not null default false;

create index api_version_rated on api_version (api_id) where is_rated;

create function count_version_rating() returns trigger language plpgsql as $$
declare
  rated uuid := coalesce(new.version_id, old.version_id);
  counts integer[];
begin
  select v.ratings into counts from api_version v where v.id = rated for no key update;
  if not found then
    return null;
  end if;
  if old.rating is not null then
    counts[old.rating] := counts[old.rating] - 1;
  end if;
  if new.rating is not null then
    counts[new.rating] := counts[new.rating] + 1;
  end if;
  -- RatingSummary ends the document.
  update api_version v set
    ratings = counts,
    ratings_changed = v.ratings_changed + 1,
    is_rated = true,
    doc = (left(v.doc::text, -150) || regexp_replace(right(v.doc::text, 150), '"RatingSummary":\{[^{}]*\}\}$',
      format('"RatingSummary":{"Five":%s,"Four":%s,"Three":%s,"Two":%s,"One":%s}}',
        counts[5], counts[4], counts[3], counts[2], counts[1])))::json
  where v.id = rated;
  return null;
end
$$;

create trigger count_version_rating after insert or delete or update of rating on version_rating
  for each row execute function count_version_rating();

-- Pictures: those that users have sent, for a day, and those that APIs show.
create table dropbox_picture (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  media_type text not null,
  bytes bytea not null,
  created timestamptz not null default now()
);

create index dropbox_picture_by_user on dropbox_picture (user_id, id desc);
create index dropbox_picture_by_age on dropbox_picture (created);

create table api_picture (
  api_id uuid primary key references api on delete cascade,
  id uuid not null,
  media_type text not null,
  bytes bytea not null
);

-- The id of its row in api_picture; until now any text could stand there, which named nothing.
alter table api alter column picture_id type uuid using null;

-- What versions can name in their Policies.
create table policy (
  id uuid primary key,
  type text not null,
  name text not null,
  description text not null,
  sort_name text collate "C" not null generated always as (lower(name)) stored,
  created timestamptz not null default date_trunc('milliseconds', now())
);

create index policy_by_name on policy (sort_name, id);

insert into policy (id, type, name, description) values
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a01', 'Operational Policy', 'API Key', 'Callers identify their app by an API key.'),
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a02', 'Operational Policy', 'Basic Authentication', 'Callers sign in with HTTP Basic.'),
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a03', 'Operational Policy', 'CORS', 'Pages of other sites may call.'),
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a04', 'Operational Policy', 'Detailed Auditing', 'Requests and answers are recorded whole.'),
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a05', 'Operational Policy', 'Mutual TLS', 'Callers show a client certificate.'),
  ('5b0f3c52-6f0a-4d0e-9a5e-0d6d6b1c7a06', 'Operational Policy', 'OAuth', 'Callers show an OAuth access token.');
