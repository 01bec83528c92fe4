import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { modifier } from '../access/rules.ts'
import { APIVersionID } from '../id-parameters.ts'
import { storedId, wireId } from '../ids.ts'
import { pageOf } from '../lists/page-of.ts'
import { paged, placeParameters } from '../lists/parameters.ts'
import { about } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Vendor } from '../vendor.ts'
import { type HistoryRow, newestRevisionFirst, readHistory } from './history.ts'
import { checkModifiable } from './permission.ts'

const HistoryEntry = Type.Object(
  {
    Revision: Type.Integer({ description: 'The revision that the change made.' }),
    Time: Type.String({ format: 'date-time' }),
    UserID: Type.Optional(about('Who did it; absent for what came before histories were kept.', Type.String())),
    UserName: Type.Optional(Type.String()),
    Action: about(
      "The name of an action; @Create, @Modify, @Map, @Deprecate and @Undeprecate are the service's own.",
      Type.String(),
    ),
    FromState: Type.Optional(about('Absent where the version began.', Type.String())),
    ToState: Type.String(),
    Comments: Type.Optional(Type.String()),
  },
  { title: 'HistoryEntry' },
)

const History = Type.Array(HistoryEntry, { title: 'History' })

/** What happened to versions. */
export const versionHistory: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.get(
    '/api/apis/versions/:APIVersionID/history',
    {
      config: { access: modifier, media: jsonAndXml, traits: [paged] },
      schema: {
        operationId: 'listHistory',
        tags: ['API versions'],
        summary: 'List the changes of an API version, the newest first',
        params: Type.Object({ APIVersionID }),
        querystring: Type.Object(placeParameters),
        response: { 200: History },
      },
    },
    async (request, reply) => {
      const { APIVersionID } = request.params
      const id = storedId(vendor, APIVersionID, 'version')
      await checkModifiable(db, signedInCaller(request), id, APIVersionID)
      const rows = await pageOf(request, reply, keys, newestRevisionFirst, [(place) => readHistory(db, id, place)])
      return rows.map((row) => wireEntry(row, vendor))
    },
  )
}

function wireEntry(row: HistoryRow, vendor: Vendor): Static<typeof HistoryEntry> {
  return {
    Revision: row.revision,
    Time: row.at.toISOString(),
    ...(row.userId !== null && { UserID: wireId(vendor, row.userId) }),
    ...(row.userName !== null && { UserName: row.userName }),
    Action: row.action,
    ...(row.fromState !== null && { FromState: row.fromState }),
    ToState: row.toState,
    ...(row.comment !== null && { Comments: row.comment }),
  }
}
