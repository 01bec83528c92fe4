-- Who may read a version, in its own row: reading one by its id, or listing many, then needs no look at the API.
-- The foreign key keeps the copies true.
alter table api add unique (id, visibility, admin_group_id);

alter table api_version add column api_visibility text, add column admin_group_id uuid;
update api_version v set api_visibility = a.visibility, admin_group_id = a.admin_group_id from api a where a.id = v.api_id;
alter table api_version
  alter column api_visibility set not null,
  alter column admin_group_id set not null,
  drop constraint api_version_api_id_fkey,
  add foreign key (api_id, api_visibility, admin_group_id) references api (id, visibility, admin_group_id)
    on update cascade on delete cascade,
  add column audience text not null generated always as (
    case
      when visibility = 'Limited' or api_visibility = 'Limited' then 'Limited'
      when visibility = 'RegisteredUsers' or api_visibility = 'RegisteredUsers' then 'RegisteredUsers'
      else 'Public'
    end) stored;
