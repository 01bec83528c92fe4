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

export const finalUrl = Type.Optional(
  Type.String({ description: 'Where a browser goes then: a path here, or an address on an allowed host.' }),
)

export const DomainInPath = Type.String({ description: 'DomainName or LoginDomainID.' })

/** Which login domain is asked for what it needs. */
export const SsoQuestion = Type.Object({ domain: DomainInPath, finalUrl })

export const namedDomain = Type.Optional(Type.String({ maxLength: 256, description: 'DomainName or LoginDomainID.' }))

/** What a form or query that signs in through a login domain says beside the domain. */
export const ssoMembers = {
  identity_username: Type.Optional(Type.String({ maxLength: 10_240, description: 'The name, for a directory.' })),
  secret_password: Type.Optional(Type.String({ maxLength: 1024, description: 'The password, for a directory.' })),
  finalUrl,
  state: Type.Optional(Type.String({ maxLength: 256, description: 'Set by a provider that sends the browser back.' })),
}

/** Such a form or query of the main interface. */
export const SsoForm = Type.Object({ domain: namedDomain, ...ssoMembers })

export const SsoInstructions = Type.Object(
  {
    instructionType: Type.String({ description: 'NeedCredentials or NeedRedirect.' }),
    redirectUrl: Type.Optional(Type.String({ description: 'Where to send the browser.' })),
    attributeName: Type.Optional(Type.Array(Type.String(), { description: 'What the form has to hold.' })),
  },
  { title: 'SsoLoginInstructions' },
)

/** What happened when a login domain was tried: each step up to the first that failed. */
export const LoginDomainTest = Type.Object(
  {
    Step: Type.Array(
      Type.Object({ Name: Type.String(), Passed: Type.Boolean(), Failure: Type.Optional(Type.String()) }),
    ),
  },
  { title: 'LoginDomainTest' },
)

/** A session that goes on. */
const Session = Type.Object(
  {
    SessionID: Type.String(),
    Interface: Type.String({ description: 'main or oauth.' }),
    Started: Type.String({ format: 'date-time' }),
    LastSeen: Type.String({ format: 'date-time', description: 'Exact to a thirtieth of the idle limit.' }),
    Current: Type.Boolean({ description: 'Whether it is the session of the request.' }),
  },
  { title: 'Session' },
)
export const Sessions = Type.Array(Session, { title: 'Sessions' })

export const PasswordChange = Type.Object(
  { OldPassword: Text(1024, 1), NewPassword: Text(256, 8) },
  { title: 'PasswordChange' },
)
