import type { FastifyReply } from 'fastify'
import { wireId } from '../ids.ts'
import type { Trait } from '../traits.ts'
import type { Vendor } from '../vendor.ts'
import type { Deprecation } from './deprecation.ts'

/** A read of one version, or of what is made of it. */
export const tellsDeprecation: Trait = {
  answerHeaders: {
    Deprecation: 'Since when the version is deprecated (RFC 9745), if it is.',
    Sunset: 'When a deprecated version goes (RFC 8594), if that is known.',
    Link: 'Of a deprecated version: rel="deprecation", where more is said of that, and rel="successor-version".',
  },
}

/** A read that shows versions within something else. */
export const tellsDeprecations: Trait = {
  answerHeaders: {
    Deprecation: 'Since when a version that is shown is deprecated (RFC 9745): the earliest time.',
    Sunset: 'When a deprecated version that is shown goes (RFC 8594): the earliest time.',
    Link: 'Of deprecated versions, which anchor names: rel="deprecation" and rel="successor-version".',
  },
}

/** Says in the headers of an answer that the version that is read is deprecated, and counts the read. */
export function tellReader(reply: FastifyReply, deprecation: Deprecation, vendor: Vendor): void {
  reply.server.countRead(reply.request, deprecation.versionId)
  tellTimes(reply, deprecation)
  addLinks(reply, linksOf(deprecation, vendor, ''))
}

// Proxies give the headers of an answer little room.
const mostLinked = 5

/** Does the same for versions that an answer shows within something else: the earliest times, and the links of a few. */
export function tellReaderOfShown(reply: FastifyReply, deprecations: readonly Deprecation[], vendor: Vendor): void {
  for (const { versionId } of deprecations) reply.server.countRead(reply.request, versionId)
  for (const deprecation of deprecations) tellTimes(reply, deprecation)
  const linked = deprecations.slice(0, mostLinked)
  const anchor = ({ versionId }: Deprecation) => `; anchor="${addressOf(versionId, vendor)}"`
  addLinks(
    reply,
    linked.flatMap((deprecation) => linksOf(deprecation, vendor, anchor(deprecation))),
  )
}

/** Of several times, such as that of a deprecated operation, the earliest counts. */
function tellTimes(reply: FastifyReply, { deprecated, sunset }: Deprecation): void {
  const since = deprecated.getTime() / 1000
  const said = reply.getHeader('deprecation')
  if (said === undefined || since < Number(String(said).slice(1))) reply.header('deprecation', `@${since}`)
  if (!sunset) return
  const ends = reply.getHeader('sunset')
  if (ends === undefined || sunset.getTime() < Date.parse(String(ends))) reply.header('sunset', sunset.toUTCString())
}

function linksOf({ versionId, successorId }: Deprecation, vendor: Vendor, anchor: string): string[] {
  const about = `<${addressOf(versionId, vendor)}/deprecation>; rel="deprecation"; type="application/json"${anchor}`
  return successorId === null
    ? [about]
    : [about, `<${addressOf(successorId, vendor)}>; rel="successor-version"${anchor}`]
}

function addressOf(versionId: string, vendor: Vendor): string {
  return `/api/apis/versions/${wireId(vendor, versionId)}`
}

function addLinks(reply: FastifyReply, links: readonly string[]): void {
  const said = reply.getHeader('link')
  const all = said === undefined ? links : [String(said), ...links]
  if (all.length > 0) reply.header('link', all.join(', '))
}
