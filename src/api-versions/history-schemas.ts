import { Type } from 'typebox'
import { about } from '../representation/formats.ts'

/** What made one revision of a version. */
export const HistoryEntry = Type.Object(
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

export const History = Type.Array(HistoryEntry, { title: 'History' })
