import { Type } from 'typebox'
import { builtInDomain } from '../database/tables.ts'
import { finalUrl, namedDomain, ssoMembers } from '../login/schemas.ts'
import { about, Text } from '../representation/formats.ts'

/** Where somebody goes on from the login page. */
export const LoginPageQuery = Type.Object({ finalUrl })

/** Signing in with a platform password. */
export const LoginForm = Type.Object({
  identity_username: Type.Optional(about('One of the two names is needed; an empty one is none.', Text(320))),
  identity_email: Type.Optional(about('It counts before the other name.', Text(320))),
  secret_password: Text(1024),
  Domain: Type.Optional(Type.String({ maxLength: 256, description: `${builtInDomain}, for administrators only.` })),
  finalUrl,
})

/** Signing in through a login domain. */
export const SsoForm = Type.Object({ Domain: namedDomain, ...ssoMembers })

/** Who is signed in to the OAuth login service. */
export const OAuthLogin = Type.Object({ DomainName: Type.String(), UserName: Type.String() }, { title: 'OAuthLogin' })
