/** The part of autocannon that the benchmark uses; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
    /** Called before each sending. */
    setupRequest?: (request: Request) => Request
  }

  export interface Client {
    setRequests: (requests: Request[]) => void
  }

  export interface Run extends EventEmitter, PromiseLike<unknown> {
    stop: () => void
  }

  // biome-ignore lint/style/noDefaultExport: so the package has it.
  export default function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Milliseconds between looking whether the duration is over. */
    sampleInt: number
    setupClient: (client: Client) => void
  }): Run
}
