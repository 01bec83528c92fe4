/** What an operation promises beside its schemas. Its description says so; nothing else reads it. */
export interface Trait {
  /** Headers of the request that it looks at, with their meaning. */
  requestHeaders?: Record<string, string>
  /** Headers of its own that its answer may carry, with their meaning. */
  answerHeaders?: Record<string, string>
  /** Statuses that come with it, with their meaning. */
  statuses?: Record<number, string>
  /** Where it may send the browser instead (302). */
  redirects?: string
  /** Whether a browser that is refused may see a page instead of a Fault. */
  refusesByPage?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    traits?: readonly Trait[]
    /** Files of `examples/`, without extension: bodies that the operation takes. */
    examples?: readonly string[]
  }
}
