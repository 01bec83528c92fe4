import { Type } from 'typebox'
import { DLDescriptor } from '../dropbox/schemas.ts'
import { Text } from '../representation/formats.ts'

/** What the newer operations say of what they add. */
export const NewInfo = Type.Object(
  {
    Name: Text(255, 1),
    Visibility: Type.Optional(Text(255)),
    Description: Type.Optional(Text(65_536)),
  },
  { title: 'NewInfo' },
)

export const CloneAPIVersionRequest = Type.Object(
  {
    SourceAPIVersionID: Text(200),
    CloneDesign: Type.Optional(Type.Boolean()),
    CloneImplementations: Type.Optional(Type.Boolean()),
  },
  { title: 'CloneAPIVersionRequest' },
)

/** A version from scratch, from another version or from a file. */
export const AddAPIVersionRequest = Type.Object(
  {
    APIVersionInfo: NewInfo,
    CloneAPIVersionRequest: Type.Optional(CloneAPIVersionRequest),
    DLDescriptor: Type.Optional(DLDescriptor),
  },
  { title: 'AddAPIVersionRequest' },
)
