import { type Static, Type } from 'typebox'
import { Text } from '../representation/formats.ts'

const certificates = Type.Optional(
  Type.String({ maxLength: 100_000, description: 'PEM certificates to trust instead of the usual authorities.' }),
)

/** How to ask a directory (LDAP). */
export const DirectorySettings = Type.Object({
  Url: Type.String({
    maxLength: 2048,
    description: 'ldaps://host[:port], or ldap://host[:port] with StartTls; without TLS only on this machine.',
  }),
  StartTls: Type.Boolean({ default: false }),
  CaCertificates: certificates,
  BindDn: Type.Optional(Text(2048)),
  BaseDn: Text(2048, 1),
  NameAttribute: Type.String({ maxLength: 64, default: 'uid', description: 'What people type; sAMAccountName.' }),
  IdAttribute: Type.String({ maxLength: 64, default: 'entryUUID', description: 'Never given twice; objectGUID.' }),
  EmailAttribute: Type.String({ maxLength: 64, default: 'mail' }),
  ObjectClass: Type.Optional(Type.String({ maxLength: 64, description: 'Of people, where other entries have names.' })),
  GroupAttribute: Type.String({ maxLength: 64, default: 'memberOf', description: 'Of a person: their groups.' }),
  GroupBaseDn: Type.Optional(Text(2048)),
  GroupFilter: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Instead of GroupMemberAttribute: finds the groups of {dn} or {username}; (memberUid={username}).',
    }),
  ),
  GroupMemberAttribute: Type.String({ maxLength: 64, default: 'member', description: 'Of groups below GroupBaseDn.' }),
})
export type DirectorySettings = Static<typeof DirectorySettings>

/** How to ask an OpenID Connect provider. */
export const OpenIdSettings = Type.Object({
  Issuer: Type.String({ maxLength: 2048, description: 'As the provider writes it; https, or on this machine.' }),
  ClientId: Text(256, 1),
  CaCertificates: certificates,
  Scope: Type.String({ maxLength: 1000, default: 'openid profile email' }),
  UserNameClaim: Type.String({ maxLength: 64, default: 'preferred_username' }),
  EmailClaim: Type.String({ maxLength: 64, default: 'email' }),
})
export type OpenIdSettings = Static<typeof OpenIdSettings>
