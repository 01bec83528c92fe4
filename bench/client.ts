/** What a signed-in caller sends along; the CSRF header is ignored where it is not needed. */
export type Headers = Record<string, string>

/** Sends one request. @throws Error when the answer is not 2xx. */
export async function send(
  url: string,
  { method = 'GET', path, headers = {}, body }: { method?: string; path: string; headers?: Headers; body?: string },
): Promise<string> {
  const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return text
}

/** The ETag of what is read as JSON. */
export async function readEtag(url: string, path: string, headers: Headers): Promise<string> {
  const answer = await fetch(url + path, { headers: { ...headers, accept: 'application/json' } })
  await answer.text()
  const etag = answer.headers.get('etag')
  if (!etag) throw new Error(`GET ${path} was answered ${answer.status} without an ETag`)
  return etag
}

export const adminEmail = 'admin@localhost'
export const formType = 'application/x-www-form-urlencoded'

/** Signs the Site Admin in, on both interfaces. */
export async function signIn(url: string, password: string): Promise<Headers> {
  const form = new URLSearchParams({ identity_email: adminEmail, secret_password: password })
  const cookies = [
    ...(await cookiesOf(`${url}/api/login`, 'application/json', JSON.stringify({ email: adminEmail, password }))),
    ...(await cookiesOf(`${url}/oauth/login`, formType, String(form))),
  ]
  const csrf = cookies.find((cookie) => cookie.startsWith('Csrf-Token_')) ?? ''
  const [name, value] = csrf.split('=', 2)
  return { cookie: cookies.join('; '), [`x-${name}`]: value ?? '' }
}

async function cookiesOf(address: string, type: string, body: string): Promise<string[]> {
  const answer = await fetch(address, { method: 'POST', headers: { 'content-type': type }, body })
  if (!answer.ok) throw new Error(`signing in was answered ${answer.status}: ${await answer.text()}`)
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] as string)
}
