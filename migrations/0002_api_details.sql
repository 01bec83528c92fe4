-- A one-line summary of an API, which newer description formats carry; a revision, which tells representations apart.
alter table api add column summary text, add column revision integer not null default 1;
