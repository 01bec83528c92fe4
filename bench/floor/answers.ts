export const json = 'application/json; charset=utf-8'

/** The stored id of one on the wire. */
export const stored = (id: string) => id.slice(0, 36)

export interface User {
  id: string
  user_name: string
  domain_id: string
}

/** What signing in, renewing and the status answer. */
export function loginStatus({ id, user_name, domain_id }: User, authTokenValidUntil: string) {
  return {
    userName: user_name,
    userFDN: `${id}.platform`,
    avatarURL: '',
    status: 'Active',
    loginState: 'LoggedIn',
    loginDomainId: `${domain_id}.platform`,
    authTokenValidUntil,
    pendingNotifications: 0,
  }
}
