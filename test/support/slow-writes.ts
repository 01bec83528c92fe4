import type { ClientConfig } from 'pg'
import { execute } from './database.ts'

/** Has every row that is updated or removed in a table take so long: a thousand rows are then as slow as a million. */
export async function slowWrites(connection: ClientConfig, table: string, ms: number): Promise<void> {
  const name = `slow_${table}`
  await execute(connection, [
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       perform pg_sleep(${ms / 1000});
       return coalesce(new, old);
     end $$`,
    `create trigger ${name} before update or delete on ${table} for each row execute function ${name}()`,
  ])
}
