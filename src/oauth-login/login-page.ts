import type { FaultError } from '../fault.ts'
import { escapeHtml } from '../html.ts'
import { type Page, signedInPage } from '../login/page.ts'
import type { LoginDomainRow } from '../login-domains/store.ts'

const path = '/oauth/login'

export interface LoginPage {
  domains: readonly LoginDomainRow[]
  /** Where to go then. */
  finalUrl: string | undefined
  /** What went wrong before. */
  fault?: FaultError
}

// Without a script a pop-up is a tab, and the person reloads this page.
const popUps = `
for (const link of document.querySelectorAll('a[data-popup]')) link.addEventListener('click', (event) => {
  if (window.open(link.href, 'sign-in', 'popup,width=520,height=640')) event.preventDefault()
})
addEventListener('message', ({ origin, data }) => {
  if (origin !== location.origin || data !== 'signed in') return
  location.assign(document.querySelector('a[data-popup]').dataset.popup || location.pathname)
})
`

/** The page on which people choose their login domain, in its order, and prove who they are. */
export function loginPage({ domains, finalUrl, fault }: LoginPage): Page {
  const target = finalUrl === undefined ? '' : `<input type="hidden" name="finalUrl" value="${escapeHtml(finalUrl)}">`
  const sections = domains.map((domain) => section(domain, target, finalUrl))
  return {
    title: 'Sign in',
    main: [
      ...(fault ? [`<p role="alert">${escapeHtml(fault.message)}</p>`] : []),
      ...(sections.length > 0 ? sections : ['<p>No login domain is enabled.</p>']),
    ].join('\n'),
    script: popUps,
  }
}

function section(domain: LoginDomainRow, target: string, finalUrl: string | undefined): string {
  const title = escapeHtml(domain.title)
  const heading = `domain-${escapeHtml(domain.id)}`
  const inside = domain.kind === 'oidc' ? visit(domain, finalUrl) : form(domain, target)
  return `<section aria-labelledby="${heading}"><h2 id="${heading}">${title}</h2>\n${inside}\n</section>`
}

function visit(domain: LoginDomainRow, finalUrl: string | undefined): string {
  // A pop-up ends on our own page, which tells the page that opened it.
  const popUp = domain.display_mode === 'POPUP'
  const query = new URLSearchParams({ Domain: domain.id, ...(finalUrl !== undefined && !popUp && { finalUrl }) })
  const opens = popUp ? ` data-popup="${escapeHtml(finalUrl ?? '')}" target="_blank" rel="opener"` : ''
  return `<a class="button" href="${path}/ssoLogin?${escapeHtml(query.toString())}"${opens}>Continue to ${escapeHtml(domain.title)}</a>`
}

function form(domain: LoginDomainRow, target: string): string {
  const [action, named] =
    domain.kind === 'local'
      ? [path, '']
      : [`${path}/ssoLogin`, `<input type="hidden" name="Domain" value="${escapeHtml(domain.id)}">`]
  return `<form method="post" action="${action}">${named}${target}
<label>User name <input name="identity_username" autocomplete="username" autocapitalize="none" required></label>
<label>Password <input name="secret_password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`
}

/** What the login page shows somebody who is signed in already. */
export function alreadySignedInPage(userName: string): Page {
  return signedInPage(userName, `<p><a class="button" href="${path}/logout">Sign out</a></p>`)
}
