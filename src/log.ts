import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { destination } from 'pino'
import type { Config } from './config.ts'

/** Structured logs: JSON lines with UTC times. What a request carries is never written, so no secret can be. */
export function loggerOptions(config: Config): NonNullable<FastifyServerOptions['logger']> {
  return {
    level: config.logLevel,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    base: null,
    // Written a moment later, so that no request waits for whoever reads the log.
    stream: destination({ dest: 1, sync: false }),
    formatters: { level: (level) => ({ level }) },
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
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    const level =
      status >= 500 ? 'error' : status >= 400 || !['GET', 'HEAD'].includes(request.method) ? 'info' : 'debug'
    if (level !== 'debug' || readsAreLogged) {
      const path = request.url.split('?', 1)[0]
      const ms = Math.round(reply.elapsedTime * 10) / 10
      const user = request.caller?.userId
      request.log[level]({ method: request.method, path, status, ms, user, address: request.ip }, 'answered')
    }
    done()
  })
})
