-- What was answered to requests that carried an Idempotency-Key, for a day.
create table idempotency_key (
  user_id uuid not null references app_user on delete cascade,
  key text not null,
  fingerprint text not null,
  answer text,
  created timestamptz not null default now(),
  primary key (user_id, key)
);

create index idempotency_key_by_age on idempotency_key (created);
