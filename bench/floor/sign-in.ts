import { createHmac, randomUUID } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import { json, loginStatus, type User } from './answers.ts'

const find = `select id, user_name, domain_id, password_hash from app_user
  where domain_id = 'siteusers' and lower(email) = lower($1)`
const open = 'insert into session (id, user_id, interface) values ($1, $2, $3)'
const read = `select u.id, u.user_name, u.domain_id from session s join app_user u on u.id = s.user_id where s.id = $1`
const touch = 'update session set last_seen = now() where id = $1'

/** Signing in, one row read, one password verified and one row written, and renewing a token, one read and one update. */
export function signIn(app: FastifyInstance, pool: Pool): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(text as string))),
  )

  app.post<{ Body: { email: string; password: string } }>('/api/login', async ({ body }, reply) => {
    const { user, session } = await prove(body.email, body.password, 'main')
    return answerMain(reply, session, user)
  })
  app.post<{ Body: { identity_email: string; secret_password: string } }>('/oauth/login', async ({ body }, reply) => {
    const { user, session } = await prove(body.identity_email, body.secret_password, 'oauth')
    return answerOAuth(reply, session, user)
  })
  app.post('/api/login/renewToken', async ({ headers }, reply) => {
    const session = sessionIn(headers.cookie, 'PlatformAuthToken_platform')
    return answerMain(reply, session, await renew(session))
  })
  app.post('/oauth/login/renewToken', async ({ headers }, reply) => {
    const session = sessionIn(headers.cookie, 'OAuthToken_platform')
    return answerOAuth(reply, session, await renew(session))
  })

  async function prove(email: string, password: string, on: string): Promise<{ user: User; session: string }> {
    const { rows } = await pool.query({ name: 'find user', text: find, values: [email] })
    if (!(await verify(rows[0].password_hash, password))) throw new Error('wrong')
    const session = randomUUID()
    await pool.query({ name: 'open session', text: open, values: [session, rows[0].id, on] })
    return { user: rows[0], session }
  }

  async function renew(session: string): Promise<User> {
    const { rows } = await pool.query({ name: 'read session', text: read, values: [session] })
    await pool.query({ name: 'touch session', text: touch, values: [session] })
    return rows[0]
  }
}

function answerMain(reply: FastifyReply, session: string, { id, user_name, domain_id }: User): FastifyReply {
  const csrf = signed(`TokenID=${session},expirationTime=${Date.now()}`)
  return reply
    .header('set-cookie', `PlatformAuthToken_platform=${token(session, id, user_name)}; Path=/; HttpOnly; SameSite=Lax`)
    .header('set-cookie', `Csrf-Token_platform=${csrf}; Path=/; SameSite=Lax`)
    .type(json)
    .send(loginStatus({ id, user_name, domain_id }, new Date().toISOString()))
}

function answerOAuth(reply: FastifyReply, session: string, { id, user_name, domain_id }: User): FastifyReply {
  return reply
    .header('set-cookie', `OAuthToken_platform=${token(session, id, user_name)}; Path=/; HttpOnly; SameSite=Lax`)
    .type(json)
    .send({ DomainName: domain_id, UserName: user_name })
}

const token = (session: string, id: string, name: string) =>
  signed(`TokenID=${session},claimed_id=${id},issueTime=${Date.now()},expirationTime=${Date.now()},UserName=${name}`)

const signed = (text: string) =>
  encodeURIComponent(`${text},sig=${createHmac('sha256', 'a key of the floor').update(text).digest('base64url')}`)

function sessionIn(cookies = '', name: string): string {
  return new RegExp(`${name}=TokenID%3D([0-9a-f-]{36})`).exec(cookies)?.[1] ?? ''
}
