import pg from 'pg'

/**
 * Why a PostgreSQL that answers is of no use as it is, in one plain sentence for the operator; undefined when the error
 * is none of its.
 */
export function startRefusal(error: unknown): string | undefined {
  const { code = '', message } = error as pg.DatabaseError
  if (error instanceof pg.DatabaseError) return sentence(code, message)
  if (/^SASL: .*client password/.test(message)) return 'PostgreSQL asks for a password, and DATABASE_URL has none.'
  const isProtection = /SSL|TLS|CERT|SIGNATURE/.test(`${code} ${message}`)
  return isProtection ? `The connection to PostgreSQL cannot be protected: ${message}.` : undefined
}

function sentence(code: string, message: string): string {
  if (/^(28...|3D000)$/.test(code)) return `PostgreSQL refuses the connection: ${message}.`
  if (code === '42501') return `The account may make no tables (${message}): make it the owner of the database.`
  if (code === '3F000') return `There is no schema for the tables (${message}): make one that search_path names.`
  return `PostgreSQL refuses to make the tables: ${message}.`
}
