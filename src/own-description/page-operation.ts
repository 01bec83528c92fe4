import { escapeHtml } from '../html.ts'
import type { Content, Document, Operation, Response } from './openapi.ts'
import { code, inline, paragraphs, terms } from './page-html.ts'
import { typeHtml } from './page-schema.ts'

/** What the page says of one operation below its name. */
export function operationHtml(operation: Operation, { components }: Document): string {
  const { description, parameters = [], requestBody, responses } = operation
  const answers = Object.entries(responses).map(([status, response]) => {
    const known = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) as string] : response
    return [code(status), answerHtml(status, known as Response)] as const
  })
  return [
    paragraphs(description),
    securityHtml(operation, components.securitySchemes),
    terms(
      'Parameters',
      parameters.map((parameter) => [
        `${code(parameter.name)} in ${parameter.in}${parameter.required ? ', required' : ''}`,
        `${inline(parameter.description ?? '')} ${typeHtml(parameter.schema)}`,
      ]),
    ),
    requestBody ? `<h4>Body</h4>\n${contentHtml(requestBody.content)}` : '',
    terms('Answers', answers),
  ].join('\n')
}

function securityHtml({ security }: Operation, schemes: Document['components']['securitySchemes']): string {
  const ways = security.map((way) =>
    Object.keys(way).map((name) => {
      const scheme = schemes[name]
      return `the ${scheme?.in} ${code(scheme?.name ?? name)}`
    }),
  )
  const needed = ways.find((way) => way.length > 0)
  if (!needed) return ''
  const isOptional = ways.some((way) => way.length === 0)
  return `<p>${isOptional ? 'Looks at' : 'Needs'} ${needed.join(' and ')}.</p>`
}

function answerHtml(status: string, { description, headers = {}, content = {} }: Response): string {
  const named = Object.entries(headers).map(([name, header]) => `<li>${code(name)}: ${inline(header.description)}</li>`)
  const list = named.length > 0 ? `<ul>${named.join('')}</ul>` : ''
  const isFault = Number(status) >= 400
  return `<p>${inline(description)}</p>${list}${isFault ? '' : contentHtml(content)}`
}

/** The content types of each schema, and one example of each kind. */
function contentHtml(content: Record<string, Content>): string {
  const types = new Map<string, string[]>()
  const examples = new Map<string, string>()
  for (const [type, { schema, examples: given = {} }] of Object.entries(content)) {
    const html = typeHtml(schema)
    types.set(html, [...(types.get(html) ?? []), type])
    for (const [name, { value }] of Object.entries(given)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      if (!examples.has(text)) examples.set(text, `${name}, as ${type}`)
    }
  }
  const lists = [...types].map(([html, names]) => `<li>${html}: ${names.map(code).join(', ')}</li>`)
  const shown = [...examples].map(
    ([text, name]) =>
      `<details><summary>Example ${escapeHtml(name)}</summary><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></details>`,
  )
  return lists.length > 0 ? `<ul>${lists.join('')}</ul>${shown.join('')}` : ''
}
