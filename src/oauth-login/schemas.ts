import { Type } from 'typebox'

const finalUrl = Type.Optional(
  Type.String({ description: 'Where a browser goes then: a path here, or an address on an allowed host.' }),
)

/** Where somebody goes on from the login page. */
export const LoginPageQuery = Type.Object({ finalUrl })

/** Signing in with a platform password. */
export const LoginForm = Type.Object({
  identity_username: Type.Optional(Type.String({ maxLength: 320, description: 'One of the two names is needed.' })),
  identity_email: Type.Optional(Type.String({ maxLength: 320, description: 'It counts before the other name.' })),
  secret_password: Type.String({ maxLength: 1024 }),
  Domain: Type.Optional(Type.String({ maxLength: 256, description: 'siteusers, for administrators only.' })),
  finalUrl,
})

/** Signing in through a login domain. */
export const SsoForm = Type.Object({
  Domain: Type.Optional(Type.String({ maxLength: 256, description: 'DomainName or LoginDomainID.' })),
  identity_username: Type.Optional(Type.String({ maxLength: 10_240, description: 'The name, for a directory.' })),
  secret_password: Type.Optional(Type.String({ maxLength: 1024, description: 'The password, for a directory.' })),
  finalUrl,
  state: Type.Optional(Type.String({ maxLength: 256, description: 'Set by a provider that sends the browser back.' })),
})

/** Who is signed in to the OAuth login service. */
export const OAuthLogin = Type.Object({ DomainName: Type.String(), UserName: Type.String() }, { title: 'OAuthLogin' })
