import { type Answer, type Client, setCookies } from './client.ts'

export const oauthCookie = 'OAuthToken_platform'

/** Sends a form, as clients of the OAuth login service do. */
export async function sendForm(
  client: Client,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await client.send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(fields)),
  })
  for (const [name, value] of setCookies(answer)) client.cookies.set(name, value)
  return answer
}

/** What the list in a token cookie names, in its order. */
export const tokenMembers = [
  'TokenID',
  'claimed_id',
  'issueTime',
  'expirationTime',
  'UserName',
  'UserFDN',
  'AttributesIncluded',
  'sig',
]

/** Names and values of the list in a token cookie, in their order. */
export function tokenOf(client: Client): [string, string][] {
  const list = decodeURIComponent(client.cookies.get(oauthCookie) ?? '')
  return list.split(',').map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])
}
