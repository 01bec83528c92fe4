import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { readerOf } from '../access/caller.ts'
import { addressFor } from '../address.ts'
import { pageOf } from '../lists/page-of.ts'
import { mostRows, paged, placeParameters } from '../lists/parameters.ts'
import { listReader } from '../lists/readers.ts'
import { listRule } from '../lists/rule.ts'
import { endsOf } from '../lists/sort.ts'
import { jsonXmlAndCalendar } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { calendarOf } from './calendar.ts'
import { newestDeprecationFirst, readDeprecations } from './listed.ts'
import { Deprecations } from './schemas.ts'
import { wireDeprecation } from './wire.ts'

/** The list of deprecations. */
export const deprecationList: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys, config }) => {
  app.get(
    '/api/deprecations',
    {
      config: { access: listRule, media: jsonXmlAndCalendar, traits: [paged] },
      schema: {
        operationId: 'listDeprecations',
        tags: ['Deprecations'],
        summary: 'List deprecated API versions, those deprecated last first',
        description: `As a calendar, a page has ${mostRows} versions unless count says otherwise.`,
        querystring: Type.Object(placeParameters),
        response: { 200: Deprecations },
      },
    },
    async (request, reply) => {
      const isCalendar = request.answer?.format === 'calendar'
      const reader = await listReader(db, readerOf(request.caller))
      const rows = await pageOf(
        request,
        reply,
        keys,
        endsOf(newestDeprecationFirst).start,
        [(place) => readDeprecations(db, newestDeprecationFirst, reader, {}, place)],
        isCalendar ? mostRows : undefined,
      )
      if (isCalendar) return sendText(reply, calendarOf(rows, addressFor(request, config.publicUrl), vendor))
      return reply.send(rows.map((row) => wireDeprecation(row, vendor)))
    },
  )
}

/** Beside the schema, which is that of the other formats. */
function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.send(text)
}
