import { Type } from 'typebox'
import { Text } from '../representation/formats.ts'

/** What was read in a file that was sent. */
export const FileDetails = Type.Object(
  {
    FileName: Type.String(),
    FileType: Type.String(),
    DropboxFileId: Type.Integer(),
    ServiceDescriptorDocument: Type.Array(
      Type.Object({
        FileName: Type.String(),
        DescriptorType: Type.String(),
        ServiceName: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'FileDetails' },
)

/** A picture that was sent. */
export const SentPicture = Type.Object({ PictureID: Type.String() }, { title: 'Picture' })

/** Names a service that a file describes. A file holds one document, so its FileName need not be the one that was sent. */
export const DLDescriptor = Type.Object(
  {
    ServiceDescriptorReference: Type.Object({
      ServiceName: Text(255),
      FileName: Type.Optional(Text(1024)),
      DropboxFileId: Type.Integer(),
    }),
  },
  { title: 'DLDescriptor' },
)
