import { type Static, Type } from 'typebox'
import { about, Text } from '../representation/formats.ts'

const optional = Type.Optional
const name = Text(255, 1)

const State = Type.Object({
  Name: about('The full name, which versions have as their State.', Text(255, 1)),
  Title: optional(about('What people call the state; without it its name.', Text(255))),
  Listed: optional(about('false: lists and search show it to the administrators of the API only.', Type.Boolean())),
  ChangesAllowed: optional(about('false: the content of a version cannot be changed in it.', Type.Boolean())),
})

const Condition = Type.Object({
  HasDescription: optional(Type.Boolean()),
  HasProductionEndpoint: optional(Type.Boolean()),
  HasOperations: optional(Type.Boolean()),
  UnreadForDays: optional(
    about(
      'The version has been deprecated for so many days, and nobody but its API Admins has read it for as long.',
      // Counts of reads are not kept for much longer.
      Type.Integer({ minimum: 1, maximum: 365 }),
    ),
  ),
})

const Action = Type.Object({
  Name: Text(100, 1),
  Title: optional(about('What people call the action; without it its name.', Text(255))),
  From: about('Names of the states that it leads from.', Type.Array(name, { maxItems: 1000 })),
  To: about('The name of the state that it leads to.', Text(255, 1)),
  Who: about('Who may take it: APIAdmin, BusinessAdmin, SiteAdmin.', Type.Array(Text(40), { maxItems: 3 })),
  CommentRequired: optional(Type.Boolean()),
  Condition: optional(Condition),
})

const documentMembers = {
  InitialAction: optional(
    about('@Create, and the state that it leads to.', Type.Object({ Name: name, To: Text(255, 1) })),
  ),
  State: Type.Array(State, { maxItems: 1000 }),
  Action: Type.Array(Action, { maxItems: 5000 }),
}

/** The workflow of versions. */
export const WorkflowDocument = Type.Object(documentMembers, { title: 'Workflow' })

/** A workflow to check or to put in place; StateMapping moves versions out of states that it no longer has. */
export const WorkflowBody = Type.Object(
  {
    ...documentMembers,
    StateMapping: optional(
      about(
        'Where versions go that stand in states which this workflow does not have.',
        Type.Array(Type.Object({ From: name, To: Text(255, 1) }), { maxItems: 1000 }),
      ),
    ),
  },
  { title: 'WorkflowBody', xml: { name: 'Workflow' } },
)

/** What a check has found, and the workflow as a Mermaid state diagram. */
export const WorkflowCheck = Type.Object(
  {
    Finding: Type.Array(
      Type.Object({
        pointer: about('Leads to the place in the document (RFC 6901).', Type.String()),
        message: Type.String(),
      }),
    ),
    Diagram: about('Empty when it would be too large, or there are more findings than are told.', Type.String()),
  },
  { title: 'WorkflowCheck' },
)

export type WorkflowDocument = Static<typeof WorkflowDocument>
export type WorkflowBody = Static<typeof WorkflowBody>
