import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  onResponseHookHandler,
  onSendHookHandler,
} from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.ts'
import { logOutput } from './log-output.ts'

/** Structured logs: JSON lines with UTC times. Of a request they have its method and path, never its query, headers or body. */
export function loggerOptions(config: Config): NonNullable<FastifyServerOptions['logger']> {
  return {
    level: config.logLevel,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    base: null,
    stream: logOutput,
    formatters: { level: (level) => ({ level }) },
    // No line has these; should one ever be given them, they are not shown.
    redact: { paths: ['password', '*.password', 'headers.cookie', '*.headers.cookie', 'token'], censor: '[redacted]' },
    serializers: {
      err: ({ name, code, message, stack = '', cause }) => ({
        type: name,
        code,
        message,
        stack,
        cause: cause instanceof Error ? cause.message : undefined,
      }),
    },
  }
}

/**
 * One line for each answer: at info for what changed, was refused or failed, at debug for reads that went well. The path
 * stands without its query.
 */
export const requestLog = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const readsAreLogged = config.logLevel === 'debug' || config.logLevel === 'trace'

  function log(request: FastifyRequest, reply: FastifyReply, message: string): void {
    const status = reply.statusCode
    const level = status >= 500 ? 'error' : status >= 400 || !isRead(request.method) ? 'info' : 'debug'
    if (level === 'debug' && !readsAreLogged) return
    const path = request.url.split('?', 1)[0]
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const user = request.caller?.userId
    request.log[level]({ method: request.method, path, status, ms, user, address: request.ip }, message)
  }

  const logAnswer: onResponseHookHandler = (request, reply, done) => {
    log(request, reply, 'answered')
    done()
  }
  /** An answer to a client that has hung up is never finished; what it asked for is done all the same. */
  const logWithoutClient: onSendHookHandler = (request, reply, payload, done) => {
    const { raw } = reply
    const look = () => {
      if (!raw.writableFinished) log(request, reply, 'answered, but the client had gone')
    }
    if (raw.closed) look()
    else raw.once('close', look)
    done(null, payload)
  }
  app.addHook('onResponse', logAnswer)
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().every(isRead)) route.onSend = [route.onSend ?? [], logWithoutClient].flat()
  })
})

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
