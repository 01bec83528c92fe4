import { Type } from 'typebox'

// The ids that stand in paths.
export const APIID = Type.String({ description: 'Id of the API.' })
export const APIVersionID = Type.String({ description: 'Id of the API version.' })
export const ObjectID = Type.String({ description: 'Id of the API version.' })
export const UserID = Type.String({ description: 'Id of the user.' })
export const LoginDomainID = Type.String({ description: 'Id of the login domain.' })
export const SessionID = Type.String({ description: 'Id of the session.' })
export const GroupID = Type.String({ description: "Id of the group, such as an API's AdminGroupID." })
