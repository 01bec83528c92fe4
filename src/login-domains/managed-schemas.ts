import { type TProperties, type TSchema, Type } from 'typebox'
import { readOnly, Text } from '../representation/formats.ts'
import { ListedLoginDomain } from './schemas.ts'
import { DirectorySettings, OpenIdSettings } from './settings.ts'
import { mostLoginDomains } from './store.ts'

const roleRule = {
  Attribute: Text(256, 1),
  Value: Text(2048, 1),
  Role: Type.Optional(Text(40)),
  GroupID: Type.Optional(Text(200)),
}

const secret = (description: string) => Type.Optional({ ...Text(1024), writeOnly: true, description })

/** A login domain to add, or what one is to become. */
export const LoginDomainBody = Type.Object(
  {
    LoginDomainID: readOnly(Text(200)),
    DomainName: Type.Optional(Type.String({ pattern: '^[^\\p{C}\\p{Z}/]([^\\p{C}/]{0,98}[^\\p{C}\\p{Z}/])?$' })),
    FedmemberId: readOnly(Text(200)),
    DisplayMode: Type.Optional(Text(40)),
    Title: Text(200, 1),
    Sequence: Type.Optional(Type.Integer({ minimum: -1, maximum: 1_000_000 })),
    VirtualHost: Type.Optional(
      Type.Array(Type.String({ maxLength: 255, pattern: '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])$' }), {
        maxItems: 100,
      }),
    ),
    IdSystemType: Type.Optional(Text(200)),
    LogoAssigned: readOnly(Type.Boolean()),
    Enabled: Type.Optional(Type.Boolean()),
    Provision: Type.Optional(Type.Boolean()),
    OAuthEnabled: Type.Optional(Type.Boolean()),
    HasSecret: readOnly(Type.Boolean()),
    Directory: Type.Optional(
      Type.Object({ ...optionalWithDefault(DirectorySettings.properties), BindPassword: secret('Empty removes it.') }),
    ),
    OpenID: Type.Optional(
      Type.Object({ ...optionalWithDefault(OpenIdSettings.properties), ClientSecret: secret('Empty removes it.') }),
    ),
    RoleRule: Type.Optional(Type.Array(Type.Object(roleRule), { maxItems: 100 })),
  },
  { title: 'LoginDomainBody', xml: { name: 'LoginDomain' } },
)

/** A login domain as Site Admins read it: with its settings, without its secret. */
export const ManagedLoginDomain = Type.Object(
  {
    ...ListedLoginDomain.properties,
    Provision: Type.Boolean({ description: 'Whether somebody who comes for the first time becomes a user.' }),
    OAuthEnabled: Type.Boolean({ description: 'Whether it serves the OAuth login service.' }),
    HasSecret: Type.Boolean(),
    Directory: Type.Optional(DirectorySettings),
    OpenID: Type.Optional(OpenIdSettings),
    RoleRule: Type.Array(Type.Object(roleRule)),
  },
  { title: 'ManagedLoginDomain', xml: { name: 'LoginDomain' } },
)

/** The login domains that come first, in their order; the others follow in theirs. */
export const LoginDomainSequence = Type.Object(
  { LoginDomainID: Type.Array(Text(200), { maxItems: mostLoginDomains }) },
  { title: 'LoginDomainSequence' },
)

/** The members of settings, those that have a default being optional. */
function optionalWithDefault<Properties extends TProperties>(properties: Properties): Properties {
  const optional = (schema: TSchema) => ('default' in schema ? Type.Optional(schema) : schema)
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])) as Properties
}
