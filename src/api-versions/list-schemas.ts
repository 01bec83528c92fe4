import { Type } from 'typebox'
import { Category, channelSchema } from '../lists/channel.ts'
import { APIVersion, endpoints } from './schemas.ts'

const EntityReference = Type.Object({
  Title: Type.String(),
  Guid: Type.String(),
  Category: Type.Array(Category),
})

/** A list of versions as a channel. */
export const VersionChannel = channelSchema('APIVersionChannel', {
  EntityReferences: Type.Object({ EntityReference: Type.Array(EntityReference) }),
  Endpoints: endpoints,
})

/** A plain list of versions. */
export const APIVersions = Type.Array(APIVersion, { title: 'APIVersions' })
