import { contentDigest, escapeHtml } from '../html.ts'
import type { Document, Operation } from './openapi.ts'
import { code, idOf, paragraphs } from './page-html.ts'
import { operationHtml } from './page-operation.ts'
import { schemaHtml } from './page-schema.ts'
import { style } from './page-style.ts'

interface Entry {
  name: string
  operation: Operation
}

/** Nothing but the page's own style sheet. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${contentDigest(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Writes a description as one page without scripts or anything from elsewhere. */
export function writePage(document: Document): string {
  const { info, components } = document
  const sections = byTag(document)
  const schemas = Object.entries(components.schemas)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} ${escapeHtml(info.version)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#operations">To the operations</a>
<header>
<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>
${paragraphs(info.description)}
<p>For programs: <a href="/openapi.json">OpenAPI as JSON</a>, <a href="/openapi.yaml">as YAML</a>.</p>
</header>
<nav aria-label="Contents">
${sections.map(contents).join('\n')}
<p><a href="#schemas">Schemas</a></p>
</nav>
<main id="operations" tabindex="-1">
${sections.map((section) => sectionHtml(section, document)).join('\n')}
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => schemaHtml(name, schema)).join('\n')}
</section>
</main>
</body>
</html>
`
}

type Section = [tag: string, entries: Entry[]]

function byTag({ paths }: Document): Section[] {
  const sections = new Map<string, Entry[]>()
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? 'Others'
      const entries = sections.get(tag) ?? []
      entries.push({ name: `${method.toUpperCase()} ${path}`, operation })
      sections.set(tag, entries)
    }
  }
  return [...sections]
}

function contents([tag, entries]: Section): string {
  const items = entries.map(
    ({ name, operation }) =>
      `<li><a href="#${idOf(name)}">${escapeHtml(operation.summary ?? name)}</a> ${code(name)}${mark(operation)}</li>`,
  )
  return `<h2>${escapeHtml(tag)}</h2>\n<ul>${items.join('')}</ul>`
}

function sectionHtml([tag, entries]: Section, document: Document): string {
  const id = idOf(`tag ${tag}`)
  const operations = entries.map(
    ({ name, operation }) => `<article aria-labelledby="${idOf(name)}">
<h3 id="${idOf(name)}">${escapeHtml(operation.summary ?? name)}${mark(operation)}</h3>
<p>${code(name)}</p>
${operationHtml(operation, document)}
</article>`,
  )
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(tag)}</h2>\n${operations.join('\n')}\n</section>`
}

function mark({ deprecated }: Operation): string {
  return deprecated ? ' <strong>deprecated</strong>' : ''
}
