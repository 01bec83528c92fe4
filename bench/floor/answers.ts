export const json = 'application/json; charset=utf-8'

/** The stored id of one on the wire. */
export const stored = (id: string) => id.slice(0, 36)
