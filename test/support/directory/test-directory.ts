/** A directory with the entries of `seeds.ts`, on ports of 127.0.0.1; its certificate is for `localhost`. */
export interface TestDirectory {
  port: number
  tlsPort: number
  /** Plain at first, and ready for StartTLS. */
  startTlsPort: number
  freeze: () => void
  thaw: () => void
  /** Ends and begins again on the same ports. */
  end: () => Promise<void>
  begin: () => Promise<void>
  remove: () => Promise<void>
}
