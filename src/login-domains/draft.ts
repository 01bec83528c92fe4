import type { Static, TObject } from 'typebox'
import { roleInBody } from '../access/roles.ts'
import { builtInDomain, type DomainKind, type RoleRule } from '../database/tables.ts'
import { type InputError, invalidMember, invalidMembers } from '../fault.ts'
import { storedId, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { checkDirectorySettings } from './directory-settings.ts'
import type { LoginDomainBody } from './managed-schemas.ts'
import { checkOpenIdSettings } from './open-id-settings.ts'
import { DirectorySettings, OpenIdSettings } from './settings.ts'
import { idSystemTypes } from './wire.ts'

export type Body = Static<typeof LoginDomainBody>

/** What a body says of a login domain, as columns hold it. What is undefined keeps its value, or gets the usual one. */
export interface Draft {
  domain_name: string
  display_mode: string | null
  title: string
  sequence: number | undefined
  virtual_hosts: string[]
  enabled: boolean | undefined
  provisions: boolean | undefined
  serves_oauth: boolean | undefined
  settings: object
  role_rules: RoleRule[]
}

/** The secret that a body gives; empty to remove the one that is there, undefined to keep it. */
export type GivenSecret = string | undefined

/** @throws Malformed unless the body's IdSystemType is that of a kind to add. */
export function kindOf({ IdSystemType }: Body, vendor: Vendor): DomainKind {
  if (IdSystemType === undefined) throw invalidMember('/IdSystemType', 'is required')
  const { ldap, oidc } = idSystemTypes(vendor)
  if (IdSystemType === ldap) return 'ldap'
  if (IdSystemType === oidc) return 'oidc'
  throw invalidMember('/IdSystemType', `must be one of ${ldap}, ${oidc}`)
}

/** @throws Malformed naming the member that is not valid for a domain of the kind; NotFound for what cannot be a group. */
export function draftOf(body: Body, kind: DomainKind, vendor: Vendor): { draft: Draft; secret: GivenSecret } {
  const { DomainName, Sequence } = body
  if (DomainName === undefined) throw invalidMember('/DomainName', 'is required')
  if ([builtInDomain, wireId(vendor, builtInDomain)].includes(DomainName.toLowerCase()))
    throw invalidMember('/DomainName', "is the built-in domain's")
  if (Sequence !== undefined && Sequence < 1) throw invalidMember('/Sequence', 'must be at least 1')
  const { settings, secret } = settingsOf(body, kind)
  return {
    draft: {
      ...shownMembers(body),
      domain_name: DomainName,
      sequence: Sequence,
      enabled: body.Enabled,
      provisions: body.Provision,
      serves_oauth: body.OAuthEnabled,
      settings,
      role_rules: (body.RoleRule ?? []).map((rule, index) => storedRule(rule, `/RoleRule/${index}`, vendor)),
    },
    secret,
  }
}

/** What every domain, the built-in one included, shows people and where. */
export function shownMembers({ Title, DisplayMode = '', VirtualHost = [] }: Body) {
  if (!['', 'POPUP'].includes(DisplayMode)) throw invalidMember('/DisplayMode', 'must be POPUP, or absent')
  const hosts = VirtualHost.map((host) => host.toLowerCase())
  return { title: Title, display_mode: DisplayMode || null, virtual_hosts: [...new Set(hosts)] }
}

function settingsOf({ Directory, OpenID }: Body, kind: DomainKind): { settings: object; secret: GivenSecret } {
  const [other, expected] = kind === 'ldap' ? (['OpenID', 'Directory'] as const) : (['Directory', 'OpenID'] as const)
  if ({ Directory, OpenID }[other]) throw invalidMember(`/${other}`, 'does not go with IdSystemType')
  if (!{ Directory, OpenID }[expected]) throw invalidMember(`/${expected}`, 'is required')
  if (Directory) {
    const { BindPassword, ...given } = Directory
    const settings = withDefaults(DirectorySettings, given)
    const errors = checkDirectorySettings(settings)
    if (BindPassword && !given.BindDn) errors.push({ pointer: '/BindDn', message: 'is required with BindPassword' })
    refuseAny(errors, '/Directory')
    // A password belongs to the name that binds with it.
    return { settings, secret: given.BindDn ? BindPassword : '' }
  }
  const { ClientSecret, ...given } = OpenID as NonNullable<typeof OpenID>
  const settings = withDefaults(OpenIdSettings, given)
  refuseAny(checkOpenIdSettings(settings), '/OpenID')
  return { settings, secret: ClientSecret }
}

/** @throws Malformed with all errors, whose pointers are from `place` on */
function refuseAny(errors: readonly InputError[], place: string): void {
  if (errors.length === 0) return
  throw invalidMembers(errors.map(({ pointer, message }) => ({ pointer: place + pointer, message })))
}

/** The members in the order of the schema, those that are absent with their usual values. */
function withDefaults<Settings extends object>({ properties }: TObject, given: Settings): Settings {
  const members = Object.entries(properties as Record<string, { default?: unknown }>)
  const values = members.map(([name, schema]) => [name, given[name as keyof Settings] ?? schema.default])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Settings
}

type WireRule = NonNullable<Body['RoleRule']>[number]

function storedRule({ Attribute, Value, Role, GroupID }: WireRule, pointer: string, vendor: Vendor): RoleRule {
  const rule = { attribute: Attribute, value: Value }
  if (Role !== undefined && GroupID === undefined) return { ...rule, role: roleInBody(Role, `${pointer}/Role`) }
  if (GroupID !== undefined && Role === undefined)
    return { ...rule, groupId: storedId(vendor, GroupID, 'group', `${pointer}/GroupID`) }
  throw invalidMember(pointer, 'must have either Role or GroupID')
}
