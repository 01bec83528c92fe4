import type { FirstSiteAdmin } from './bootstrap.ts'

/** What the terminal says once the service answers: two lines to paste. */
export function welcome(url: string, admin: FirstSiteAdmin | undefined): string {
  const lines = admin?.madePassword
    ? [
        `curl -s -c cookies -H 'Content-Type: application/json' -d '${credentials(admin.email, admin.madePassword)}' ${url}/api/login`,
        `curl -s -b cookies ${url}/api/login/status`,
      ]
    : [`curl -s ${url}/readyz`, `curl -s ${url}/api/login/domains`]
  return [`Platform API Management answers at ${url}`, '', ...lines.map((line) => `  ${line}`), ''].join('\n')
}

function credentials(email: string, password: string): string {
  return JSON.stringify({ email, password }).replaceAll("'", "'\\''")
}
