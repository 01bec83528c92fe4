import type { LoginDomainRow } from './store.ts'

// A remembered answer is never older than this after a change, on any replica.
const rememberMs = 1000

/** Login domains in this process's memory. */
export interface RememberedDomains {
  /** `fresh` reads the database and remembers what it reads. */
  get: (fresh: boolean) => Promise<LoginDomainRow[]> | LoginDomainRow[]
  forget: () => void
}

export function rememberLoginDomains(read: () => Promise<LoginDomainRow[]>): RememberedDomains {
  let rows: LoginDomainRow[] | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<LoginDomainRow[]> | undefined

  async function refresh(): Promise<LoginDomainRow[]> {
    // Counted from before the query: a change that it just missed is at most that old.
    const startedAt = performance.now()
    const found = await read()
    if (startedAt > readAt) {
      rows = found
      readAt = startedAt
    }
    return found
  }

  return {
    forget: () => {
      // What is being read may be from before the change.
      rows = undefined
      reading = undefined
      readAt = performance.now()
    },
    get: (fresh) => {
      if (fresh) return refresh()
      if (rows && performance.now() - readAt < rememberMs) return rows
      if (reading) return reading
      const mine = refresh().finally(() => {
        if (reading === mine) reading = undefined
      })
      reading = mine
      return mine
    },
  }
}
