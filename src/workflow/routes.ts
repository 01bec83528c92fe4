import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { signedInCaller } from '../access/caller.ts'
import { signedIn, siteAdmin } from '../access/rules.ts'
import { conditionalChange, conditionalRead, ifMatch, knownStates, unlessKnown } from '../representation/etag.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { checkWorkflow, mostFindings } from './check.ts'
import { stateDiagram } from './diagram.ts'
import { deleteWorkflow, putWorkflow } from './put-workflow.ts'
import { WorkflowBody, WorkflowCheck, WorkflowDocument } from './schemas.ts'
import { readDocument } from './store.ts'

const perhapsNone: Trait = { statuses: { 404: 'No workflow is in place.' } }
const tags = ['Workflow']
const examples = ['workflow-review', 'workflow-life']

/** The workflow of versions. */
export const workflows: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  app.post(
    '/api/workflows/check',
    {
      config: { access: signedIn, media: jsonAndXml, examples },
      schema: {
        operationId: 'checkWorkflow',
        tags,
        summary: 'Check a workflow without putting it in place, and draw it',
        body: WorkflowBody,
        response: { 200: WorkflowCheck },
      },
    },
    async ({ body }) => {
      const Finding = checkWorkflow(body)
      return { Finding, Diagram: Finding.length > mostFindings ? '' : stateDiagram(body) }
    },
  )

  app.get(
    '/api/workflows/apiversion',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [conditionalRead, perhapsNone] },
      schema: {
        operationId: 'readWorkflow',
        tags,
        summary: 'Read the workflow of versions',
        response: { 200: WorkflowDocument },
      },
    },
    async (request, reply) => {
      const { revision, document } = await readDocument(services.db, knownStates(request))
      return unlessKnown(reply, String(revision), document, (text) => reply.document(text))
    },
  )

  app.put(
    '/api/workflows/apiversion',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [conditionalChange], examples },
      schema: {
        operationId: 'putWorkflow',
        tags,
        summary: 'Put the workflow of versions in place, or another one in its place',
        body: WorkflowBody,
        response: { 200: WorkflowDocument },
      },
    },
    async (request, reply) =>
      reply.document(await putWorkflow(services, signedInCaller(request), request.body, ifMatch(request))),
  )

  app.delete(
    '/api/workflows/apiversion',
    {
      config: { access: siteAdmin, media: 'none', traits: [conditionalChange, perhapsNone] },
      schema: { operationId: 'removeWorkflow', tags, summary: 'Have versions without a workflow' },
    },
    async (request, reply) => {
      await deleteWorkflow(services, signedInCaller(request), ifMatch(request))
      return reply.send()
    },
  )
}
