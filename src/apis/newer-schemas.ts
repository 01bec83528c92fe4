import { Type } from 'typebox'
import { NewInfo } from '../api-versions/newer-schemas.ts'
import { DLDescriptor } from '../dropbox/schemas.ts'
import { HttpUrl, Text } from '../representation/formats.ts'

/** An API with its first version, of a name or from a file; APIVersionInfo is about the API. */
export const AddAPIRequest = Type.Object(
  {
    APIVersionInfo: Type.Optional(NewInfo),
    AddAPIImplementationRequest: Type.Optional(
      Type.Object({
        CreateMechanism: Type.Optional(Text(50)),
        ProxyImplementationRequest: Type.Optional(
          Type.Object({ TargetEndpointURL: Type.Array(HttpUrl(), { maxItems: 200 }) }),
        ),
      }),
    ),
    DLDescriptor: Type.Optional(DLDescriptor),
  },
  { title: 'AddAPIRequest' },
)
