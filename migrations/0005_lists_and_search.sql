-- Lists are sorted by name, created or updated, then by id. Search finds by words that the service writes beside the text,
-- in the same transaction: those of an API have the weight A and stand in the rows of its versions too.
alter table api
  add column sort_name text collate "C" not null generated always as (lower(name)) stored,
  add column search tsvector not null default '';
alter table api_version
  add column sort_name text collate "C" not null generated always as (lower(name)) stored,
  add column search tsvector not null default '';

-- The rows that there are get what SQL can tell; their next change writes it as the service does.
create function pg_temp.words(said text) returns text[] language sql as $$
  with cut as (select left(said, 40000) as said),
  plain as (
    select case when said ~ '[^\u0001-\u007f]' and getdatabaseencoding() = 'UTF8'
      then regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]', '', 'g') else said end as said
    from cut),
  humps as (select said || ' ' || regexp_replace(said, '([a-z0-9])([A-Z])', '\1 \2', 'g') as said from plain)
  select array(select distinct left(word, 60) from humps, string_to_table(
    translate(lower(said), E'\t\r\n!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 40)), ' ') word where word <> '')
$$;
create function pg_temp.vector(lexemes text[], weight text) returns tsvector language sql as $$
  select coalesce(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':1' || weight, ' '), '')::tsvector
  from unnest(lexemes) lexeme
$$;
update api set search =
  pg_temp.vector(pg_temp.words(concat_ws(' ', name, array_to_string(tags, ' '), summary, left(description, 10000))), 'A')
  || pg_temp.vector(
    array(select '=' || substr(word, start) from unnest(pg_temp.words(name)) word, generate_series(1, greatest(1, length(word) - 1)) start)
    || array(select '#' || left(lower(tag), 200) from unnest(tags) tag), '');
update api_version v set search = ts_filter(a.search, '{a}') || pg_temp.vector(
  array(select '#' || left(lower(tag), 200) from json_array_elements_text(v.doc -> 'Tag') tag)
  || pg_temp.words(concat_ws(' ', v.name,
    (select string_agg(tag, ' ') from json_array_elements_text(v.doc -> 'Tag') tag),
    (select string_agg(concat_ws(' ', operation ->> 'Name', operation ->> 'Path'), ' ')
      from json_array_elements(v.doc -> 'Operations' -> 'Operation') operation),
    v.doc ->> 'Description')), '')
from api a where a.id = v.api_id;
set constraints all immediate;

-- Each begins with who reads the row: what somebody may read is then a few stretches of an index.
create index api_by_name on api (visibility, sort_name, id);
create index api_by_created on api (visibility, created, id);
create index api_by_updated on api (visibility, updated, id);
create index api_version_by_name on api_version (audience, visibility, sort_name, id);
create index api_version_by_created on api_version (audience, visibility, created, id);
create index api_version_by_updated on api_version (audience, visibility, updated, id);

create index api_search_public on api using gin (search) where visibility = 'Public';
create index api_search_registered on api using gin (search) where visibility = 'RegisteredUsers';
create index api_search_limited on api using gin (search) where visibility = 'Limited';
create index api_version_search_public on api_version using gin (search) where audience = 'Public';
create index api_version_search_registered on api_version using gin (search) where audience = 'RegisteredUsers';
create index api_version_search_limited on api_version using gin (search) where audience = 'Limited';

-- The groups of a member, without a look at the table.
drop index group_member_user;
create index group_member_by_user on group_member (user_id, group_id);
