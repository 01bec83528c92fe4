import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { clearSignInCookies } from '../access/cookies.ts'
import { knownUserId } from '../access/known-user.ts'
import { selfOrSiteAdmin, signedIn } from '../access/rules.ts'
import { lockSiteAdmin } from '../access/site-admins.ts'
import { inTransaction } from '../database/transaction.ts'
import { SessionID, UserID } from '../id-parameters.ts'
import { wireId } from '../ids.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { Sessions } from './schemas.ts'
import { endSessions, readSessions, refuseUnknownUser, type UsersSession } from './sessions.ts'
import { setsCookies } from './traits.ts'

const tags = ['Sessions']

/** Where somebody is signed in, and ending that from elsewhere. */
export const sessions: FastifyPluginAsyncTypebox<Services> = async (app, { db, config, vendor }) => {
  const reading = { media: jsonAndXml }
  const ending = { media: 'none', traits: [setsCookies] } as const
  const response = { 200: Sessions }

  app.get(
    '/api/login/sessions',
    {
      config: { access: signedIn, ...reading },
      schema: { operationId: 'listOwnSessions', tags, summary: 'List your own sessions that go on', response },
    },
    (request) => list(signedInCaller(request), ownId(signedInCaller(request))),
  )

  app.get(
    '/api/users/:UserID/sessions',
    {
      config: { access: selfOrSiteAdmin, ...reading },
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List the sessions of a user that go on',
        params: Type.Object({ UserID }),
        response,
      },
    },
    (request) => list(signedInCaller(request), request.params.UserID),
  )

  app.delete(
    '/api/login/sessions',
    {
      config: { access: signedIn, ...ending },
      schema: { operationId: 'endOwnSessions', tags, summary: 'End all your own sessions' },
    },
    (request, reply) => end(reply, signedInCaller(request), ownId(signedInCaller(request))),
  )

  app.delete(
    '/api/users/:UserID/sessions',
    {
      config: { access: selfOrSiteAdmin, ...ending },
      schema: {
        operationId: 'endSessions',
        tags,
        summary: 'End all sessions of a user',
        params: Type.Object({ UserID }),
      },
    },
    (request, reply) => end(reply, signedInCaller(request), request.params.UserID),
  )

  app.delete(
    '/api/login/sessions/:SessionID',
    {
      config: { access: signedIn, ...ending },
      schema: {
        operationId: 'endOwnSession',
        tags,
        summary: 'End one of your own sessions',
        params: Type.Object({ SessionID }),
      },
    },
    (request, reply) => end(reply, signedInCaller(request), ownId(signedInCaller(request)), request.params.SessionID),
  )

  app.delete(
    '/api/users/:UserID/sessions/:SessionID',
    {
      config: { access: selfOrSiteAdmin, ...ending },
      schema: {
        operationId: 'endSessionOfUser',
        tags,
        summary: 'End one session of a user',
        params: Type.Object({ UserID, SessionID }),
      },
    },
    (request, reply) => end(reply, signedInCaller(request), request.params.UserID, request.params.SessionID),
  )

  const ownId = (caller: Caller) => wireId(vendor, caller.userId)

  async function list(caller: Caller, userId: string) {
    const id = knownUserId(vendor, caller, userId)
    if (id !== caller.userId) await refuseUnknownUser(db, id, userId)
    return (await readSessions(db, id, config)).map((session) => wireSession(session, caller))
  }

  async function end(reply: FastifyReply, caller: Caller, userId: string, sessionId?: string) {
    const id = knownUserId(vendor, caller, userId)
    await inTransaction(db, async (trx) => {
      if (id !== caller.userId) {
        await lockSiteAdmin(trx, caller)
        await refuseUnknownUser(trx, id, userId)
      }
      await endSessions(trx, id, sessionId)
    })
    app.forget({ kind: 'user', id })
    const isCurrent = sessionId === undefined ? id === caller.userId : sessionId === caller.sessionId
    if (isCurrent) clearSignInCookies(reply, vendor, config)
    return reply.send()
  }
}

function wireSession({ id, on, started, lastSeen }: UsersSession, caller: Caller) {
  return {
    SessionID: id,
    Interface: on,
    Started: started.toISOString(),
    LastSeen: lastSeen.toISOString(),
    Current: id === caller.sessionId,
  }
}
