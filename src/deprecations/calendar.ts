import { wireId } from '../ids.ts'
import { programVersion } from '../program-version.ts'
import type { Vendor } from '../vendor.ts'
import { contentLines, dateTime, text } from './content-lines.ts'
import type { ListedDeprecation } from './listed.ts'

/** Deprecations as an iCalendar object (RFC 5545): an event for each date. `address` is the one that clients use. */
export function calendarOf(deprecations: readonly ListedDeprecation[], address: string, vendor: Vendor): string {
  return contentLines([
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', text(`-//Platform API Management//${programVersion}//EN`)],
    ...deprecations.flatMap((each) => eventsOf(each, address, vendor)),
    ['END', 'VCALENDAR'],
  ])
}

type Line = [name: string, value: string]

function eventsOf(row: ListedDeprecation, address: string, vendor: Vendor): Line[] {
  const { apiName, name, deprecated, sunset, successorId, notes } = row
  const versions = `${address}/api/apis/versions`
  const version = `${apiName} ${name}`
  const said = [
    `${version} is deprecated since ${deprecated.toISOString()}.`,
    ...(sunset ? [`It goes at ${sunset.toISOString()}.`] : []),
    ...(successorId ? [`Its successor: ${versions}/${wireId(vendor, successorId)}`] : []),
    ...(notes ? [notes] : []),
  ].join('\n')
  const event = (kind: string, time: Date, summary: string): Line[] => [
    ['BEGIN', 'VEVENT'],
    ['UID', `${row.id}-${kind}@${vendor.fedmemberId}`],
    ['DTSTAMP', dateTime(row.changed)],
    ['DTSTART', dateTime(time)],
    ['SUMMARY', text(summary)],
    ['DESCRIPTION', text(said)],
    ['URL', `${versions}/${wireId(vendor, row.id)}/deprecation`],
    ['END', 'VEVENT'],
  ]
  return [
    ...event('deprecated', deprecated, `${version} is deprecated`),
    ...(sunset ? event('sunset', sunset, `${version} goes`) : []),
  ]
}
