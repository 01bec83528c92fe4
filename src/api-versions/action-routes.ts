import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { renewsToken } from '../access/renewal.ts'
import { type AccessRule, signedIn } from '../access/rules.ts'
import { APIVersionID, ObjectID } from '../id-parameters.ts'
import { once, repeatable } from '../idempotency.ts'
import { conditionalChange, ifMatch } from '../representation/etag.ts'
import { jsonAndXml, jsonAndXmlOrEmpty } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { ActionRequest, WorkflowActions } from './action-schemas.ts'
import { offeredActions } from './actions.ts'
import { APIVersion } from './schemas.ts'
import { takeAction } from './take-action.ts'

const onlooker: AccessRule = { ...signedIn, permission: 'Must be signed in; Read permission on the API version.' }
const actor: AccessRule = {
  ...signedIn,
  permission: 'Must be signed in; an API Admin of the API, a Business Admin or a Site Admin, as the action says.',
}

const tags = ['Workflow']

/** Leading versions through the workflow. */
export const versionActions: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { vendor, keys } = services
  const taking = {
    access: actor,
    media: jsonAndXmlOrEmpty,
    takes: jsonAndXml,
    traits: [repeatable, conditionalChange, renewsToken(vendor)],
    examples: ['action'],
  }
  const response = { 200: APIVersion }

  app.get(
    '/api/workflow/objects/:ObjectID/actions',
    {
      config: { access: onlooker, media: jsonAndXml },
      schema: {
        operationId: 'listActions',
        tags,
        summary: 'List the actions that the caller may take on an API version now',
        params: Type.Object({ ObjectID }),
        response: { 200: WorkflowActions },
      },
    },
    async (request) => {
      await app.writeReads()
      return offeredActions(services, signedInCaller(request), request.params.ObjectID)
    },
  )

  app.post(
    '/api/workflow/objects/:ObjectID/actions',
    {
      config: taking,
      schema: {
        operationId: 'takeAction',
        tags,
        summary: 'Take an action on an API version',
        params: Type.Object({ ObjectID }),
        body: ActionRequest,
        response,
      },
    },
    async (request, reply) => take(request, reply, request.params.ObjectID, request.body),
  )

  app.post(
    '/api/apis/versions/:APIVersionID/action',
    {
      config: taking,
      schema: {
        operationId: 'takeActionOnVersion',
        tags,
        summary: 'Take an action on an API version, at its own path',
        params: Type.Object({ APIVersionID }),
        body: ActionRequest,
        response,
      },
    },
    async (request, reply) => take(request, reply, request.params.APIVersionID, request.body),
  )

  async function take(
    request: FastifyRequest,
    reply: FastifyReply,
    versionId: string,
    body: Static<typeof ActionRequest>,
  ): Promise<FastifyReply> {
    const caller = signedInCaller(request)
    await app.writeReads()
    const moved = await takeAction(services, caller, versionId, body, ifMatch(request), once(request, keys))
    return reply.header(vendor.renewHeader, 'renew').document(moved)
  }
}
