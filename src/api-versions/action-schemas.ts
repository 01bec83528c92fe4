import { Type } from 'typebox'
import { about, Text } from '../representation/formats.ts'

/** The actions that somebody may take on a version. */
export const WorkflowActions = Type.Object(
  {
    Action: Type.Array(
      Type.Object({
        Name: Type.String(),
        Title: Type.String(),
        To: about('The state that it leads to.', Type.String()),
        ToTitle: Type.String(),
        CommentRequired: Type.Boolean(),
      }),
    ),
  },
  { title: 'WorkflowActions' },
)

/** An action to take. */
export const ActionRequest = Type.Object(
  { ActionName: Text(100, 1), Comments: Type.Optional(Text(10_000)) },
  { title: 'ActionRequest' },
)
