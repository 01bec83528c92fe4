import { Type } from 'typebox'
import { Text } from '../representation/formats.ts'

export const Credentials = Type.Object({ email: Text(320, 1), password: Text(1024, 1) }, { title: 'Credentials' })

/** What signing in, renewing and asking for the status answer. */
export const LoginStatus = Type.Object(
  {
    userName: Type.String(),
    userFDN: Type.String({ description: "The user's id." }),
    avatarURL: Type.String({ description: "Address of the user's picture; empty when there is none." }),
    status: Type.String(),
    loginState: Type.String(),
    loginDomainId: Type.String(),
    authTokenValidUntil: Type.String({ format: 'date-time' }),
    pendingNotifications: Type.Integer(),
  },
  { title: 'LoginStatus' },
)
