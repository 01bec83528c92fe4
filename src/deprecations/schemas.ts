import { Type } from 'typebox'
import { about, readOnly, Text } from '../representation/formats.ts'

const time = Type.String({ format: 'date-time', maxLength: 40 })
const readOnlyText = readOnly(Text(255))
const notes = Type.Optional(about('What consumers should know.', Text(4000)))

/** A deprecation as a request carries it. */
export const DeprecationBody = Type.Object(
  {
    APIVersionID: readOnlyText,
    APIID: readOnlyText,
    APIName: readOnlyText,
    VersionName: readOnlyText,
    Deprecated: Type.Optional(
      about('Since when or from when; without it the time that it has already, else now.', { ...time }),
    ),
    Sunset: Type.Optional(about('When the version goes.', { ...time })),
    SuccessorVersionID: Type.Optional(
      about('The version that takes its place; whoever reads this one must be able to read it.', Text(200)),
    ),
    Notes: notes,
  },
  { title: 'DeprecationBody', xml: { name: 'Deprecation' } },
)

/** A deprecation as its reader is told of it: of a successor that they may not read nothing is said. */
export const Deprecation = Type.Object(
  {
    APIVersionID: Type.String(),
    APIID: Type.String(),
    APIName: Type.String(),
    VersionName: Type.String(),
    Deprecated: time,
    Sunset: Type.Optional(time),
    SuccessorVersionID: Type.Optional(Type.String()),
    Notes: notes,
  },
  { title: 'Deprecation' },
)

export const Deprecations = Type.Array(Deprecation, { title: 'Deprecations' })

/** Somebody who has read a deprecated version: a user, or what a program calls itself. */
export const Consumer = Type.Object(
  {
    UserID: Type.Optional(Type.String()),
    UserName: Type.Optional(about('Absent where the user is gone.', Type.String())),
    UserAgent: Type.Optional(
      about(
        'Of those who were not signed in; (none) where it was not said, (others) beyond a thousand.',
        Type.String(),
      ),
    ),
    LastRead: Type.String({ format: 'date', description: 'The day of the last read, in UTC.' }),
    ReadsOfLast30Days: Type.Integer(),
    Reads: about('Of the last 400 days.', Type.Integer()),
  },
  { title: 'Consumer' },
)

export const Consumers = Type.Array(Consumer, { title: 'Consumers' })
