import type { FastifyReply } from 'fastify'

/** Sends a page of HTML in place of the negotiated representation. */
export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .serializer((text: unknown) => text as string)
    .type('text/html; charset=utf-8')
    .send(html)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** What somebody sees who came back from their provider and has nowhere else to go. */
export function signedInPage(userName: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Signed in</title>
<main><h1>Signed in</h1><p>You are signed in as ${escapeHtml(userName)}. You may close this page.</p></main></html>
`
}
