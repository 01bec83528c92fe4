import { Type } from 'typebox'

const members = {
  LoginDomainID: Type.String(),
  DomainName: Type.Optional(Type.String()),
  FedmemberId: Type.String(),
  DisplayMode: Type.Optional(Type.String()),
  Title: Type.String(),
  Sequence: Type.Integer(),
}
const moreMembers = {
  IdSystemType: Type.String(),
  LogoAssigned: Type.Boolean(),
  Enabled: Type.Boolean(),
}

/** The login domain of one user. */
export const LoginDomain = Type.Object({ ...members, ...moreMembers }, { title: 'LoginDomain' })

/** A login domain in the list, with the hosts for which it is valid; none means every host. */
export const ListedLoginDomain = Type.Object(
  { ...members, VirtualHost: Type.Array(Type.String()), ...moreMembers },
  { title: 'ListedLoginDomain' },
)

/** The list of login domains. */
export const LoginDomains = Type.Array(ListedLoginDomain, { title: 'LoginDomains' })

export const cacheQuery = {
  cache: Type.Optional(
    Type.Boolean({ description: 'When false, the information is not read from cache.', default: true }),
  ),
}
