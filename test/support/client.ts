import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
  /** The body read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  json: any
}

export interface Sent {
  headers?: Record<string, string | string[]>
  /** Text and bytes go as they are; anything else as JSON, with its Content-Type unless one is given. */
  body?: unknown
}

/** Throws when an answer is not as it should be. */
export type AnswerCheck = (method: string, path: string, answer: Answer) => void | Promise<void>

/** An HTTP client that adds nothing of its own but, once signed in, the two cookies and the CSRF header. */
export interface Client {
  send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  get: (path: string, headers?: Sent['headers']) => Promise<Answer>
  post: (path: string, body?: unknown, headers?: Sent['headers']) => Promise<Answer>
  /** Keeps the cookies of the answer. */
  signIn: (email: string, password: string) => Promise<Answer>
  /** Cookies by name, as they were set: still URL-encoded. */
  cookies: Map<string, string>
}

const agent = new Agent({ keepAlive: true })

/** `check` is given every answer. */
export function createClient(url: string, check: AnswerCheck = () => {}): Client {
  const cookies = new Map<string, string>()

  async function send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
    const own: Record<string, string> = {}
    if (cookies.size > 0) own.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const csrf = [...cookies].find(([name]) => name.startsWith('Csrf-Token_'))
    if (csrf && method !== 'GET') own[`X-${csrf[0]}`] = csrf[1]
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    if (body !== undefined && !isRaw) own['content-type'] = 'application/json'
    const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body)
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const mine = Object.fromEntries(Object.entries(own).filter(([name]) => !(name.toLowerCase() in lower)))
    const answer = await exchange(url, method, path, { ...mine, ...headers }, payload)
    await check(method, path, answer)
    return answer
  }

  return {
    send,
    cookies,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    signIn: async (email, password) => {
      const answer = await send('POST', '/api/login', { body: { email, password } })
      for (const [name, value] of setCookies(answer)) cookies.set(name, value)
      return answer
    },
  }
}

/** Name and value of each cookie that an answer sets. */
export function setCookies(answer: Answer): [string, string][] {
  return (answer.headers['set-cookie'] ?? []).map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    return [name, value]
  })
}

function exchange(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  payload: string | Buffer | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
    const chunked = Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
    const { hostname, port } = new URL(url)
    const sending = request(
      { agent, hostname, port, method, path, headers: { ...(chunked ? {} : length), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            get json() {
              return JSON.parse(text)
            },
          })
        })
      },
    )
    sending.on('error', reject)
    sending.end(payload)
  })
}
