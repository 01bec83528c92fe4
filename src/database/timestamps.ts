import pg from 'pg'

const timestamptz = pg.types.builtins.TIMESTAMPTZ
const readAny = pg.types.getTypeParser(timestamptz, 'text') as (text: string) => Date
const ofOurTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/

/** The driver's type parsers, with a quicker one for a timestamp as a server in UTC writes it. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === timestamptz && format !== 'binary'
      ? readTimestamp
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

function readTimestamp(text: string): Date {
  return ofOurTime.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : readAny(text)
}
