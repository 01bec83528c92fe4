import type { FastifyReply } from 'fastify'
import { contentDigest, escapeHtml } from '../html.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 26rem; padding: 2rem 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.125rem; margin: 0 0 .5rem }
section { border: 1px solid #8888; border-radius: .5rem; margin: 1rem 0; padding: 1rem }
label { display: block; margin: .5rem 0 }
input { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100% }
button, .button { background: #0b57d0; border: 0; border-radius: .25rem; color: #fff; display: inline-block;
  font: inherit; padding: .5rem 1rem; text-decoration: none }
:focus-visible { outline: 3px solid #f9ab00; outline-offset: 2px }
[role=alert] { border-left: .25rem solid #d93025; padding-left: .75rem }
`

/** A page of the service's own: all that it needs is in it. */
export interface Page {
  title: string
  /** HTML of the main part. */
  main: string
  script?: string
}

/** Sends a page in place of the negotiated representation; only its own style and script may run. */
export function sendPage(reply: FastifyReply, { title, main, script }: Page): FastifyReply {
  const sources = [`style-src ${contentDigest(style)}`, ...(script ? [`script-src ${contentDigest(script)}`] : [])]
  const policy = ["default-src 'none'", ...sources, "base-uri 'none'", "frame-ancestors 'none'"]
  return (
    reply
      .header('content-security-policy', policy.join('; '))
      // With no-referrer a browser hides the Origin of the forms in a page, which signing in looks at.
      .header('referrer-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .serializer((text: unknown) => text as string)
      .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${main}
</main>${script ? `<script>${script}</script>` : ''}</body>
</html>
`)
  )
}

/** Sends the browser elsewhere, by GET. */
export function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.removeHeader('content-type').redirect(url, 302)
}

// A pop-up tells the page that opened it and goes away; a page of another site may not be looked at, and hears nothing.
const tellOpener = `
try {
  if (opener.location.origin === location.origin) {
    opener.postMessage('signed in', location.origin)
    close()
  }
} catch {}
`

/** What somebody sees who is signed in and has nowhere else to go; `more` is HTML. */
export function signedInPage(userName: string, more: string): Page {
  const main = `<p>You are signed in as <strong>${escapeHtml(userName)}</strong>.</p>\n${more}`
  return { title: 'Signed in', main, script: tellOpener }
}
