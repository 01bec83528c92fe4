import { Type } from 'typebox'
import { channelSchema } from '../lists/channel.ts'

/** A list of APIs as a channel; each refers to its latest version, where the caller may read that. */
export const ApiChannel = channelSchema('APIChannel', {
  EntityReference: Type.Optional(Type.Object({ Title: Type.String(), Guid: Type.String() })),
})
