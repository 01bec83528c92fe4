import pg from 'pg'

/** Whether the server answers somebody new in time, if only that it has no room. */
export async function isServerThere(connection: pg.ClientConfig, ms: number): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: ms, query_timeout: ms / 2 })
  client.on('error', () => {})
  try {
    await client.connect()
    // A pooler lets in whoever comes, also while the server is away.
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    client.end().catch(() => {})
  }
}
