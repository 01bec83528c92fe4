import type { FastifyInstance } from 'fastify'
import { Compile, type Validator } from 'typebox/schema'
import type { Document, Operation, Response, Schema } from '../../src/own-description/openapi.ts'
import type { Answer, AnswerCheck } from './client.ts'

// Of each service that differs by its settings; the description depends on nothing else.
const checks = new Map<string, Promise<AnswerCheck>>()

/** Holds every answer of a service to what the service says of itself. */
export function conformity(app: FastifyInstance, settings: Record<string, string>): AnswerCheck {
  const key = JSON.stringify(settings)
  return async (...exchange) => {
    const check = checks.get(key) ?? app.ownDescription().then(({ json }) => answerCheck(JSON.parse(json)))
    checks.set(key, check)
    await (await check)(...exchange)
  }
}

// Every answer may have them.
const everywhere = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
])

/** Makes the check of answers by a description: path, method, status, headers, content type, and JSON by its schema. */
export function answerCheck(document: Document): AnswerCheck {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema) as Schema]),
  )
  const validators = new Map<string, Validator>()
  const find = finder(Object.keys(document.paths))

  return (method, path, answer) => {
    const undescribed = (what: string) =>
      new Error(`${method} ${path} is not described: ${what}\n${answer.status} ${answer.text.slice(0, 1000)}`)
    const template = find(path.split('?', 1)[0] as string)
    if (template === 'undecodable' || answer.status === 431) return
    if (!template && answer.status === 404) return
    if (!template) throw undescribed('its path')
    const item = document.paths[template] ?? {}
    const isHead = method === 'HEAD'
    const operation = item[isHead ? 'get' : method.toLowerCase()]
    // The refusals that a path has for all other methods.
    if (answer.status === 405 && answer.headers.allow) return
    if (!operation && method === 'OPTIONS' && answer.status === 204) return
    if (!operation) throw undescribed('its method')

    const response = responseOf(operation, answer.status)
    if (!response) throw undescribed(`the status ${answer.status}`)
    const headers = namesOfHeaders(operation)
    for (const name of Object.keys(answer.headers)) {
      if (!everywhere.has(name) && !headers.has(name)) throw undescribed(`the header ${name}`)
    }
    if (!isHead) checkBody(response, answer, undescribed)
  }

  function responseOf({ responses }: Operation, status: number): Response | undefined {
    const response = responses[status]
    if (!response || !('$ref' in response)) return response
    return document.components.responses[response.$ref.slice('#/components/responses/'.length)]
  }

  function namesOfHeaders({ responses }: Operation): Set<string> {
    const all = Object.keys(responses).flatMap((status) => responseOf({ responses } as Operation, Number(status)) ?? [])
    return new Set(all.flatMap(({ headers = {} }) => Object.keys(headers).map((name) => name.toLowerCase())))
  }

  function checkBody({ content }: Response, answer: Answer, undescribed: (what: string) => Error): void {
    const type = answer.headers['content-type']?.split(';', 1)[0]
    if (!content && answer.text === '') return
    if (!content) throw undescribed('its body')
    const described = content[type ?? '']
    if (!described) throw undescribed(`the content type ${type}`)
    if (!type?.endsWith('json')) return
    const validator = validatorOf(described.schema)
    const value = JSON.parse(answer.text)
    if (!validator.Check(value)) throw undescribed(JSON.stringify(validator.Errors(value)))
  }

  function validatorOf(schema: Schema): Validator {
    const key = JSON.stringify(schema)
    const validator = validators.get(key) ?? Compile({ ...(closed(schema) as object), components: { schemas } })
    validators.set(key, validator)
    return validator
  }
}

/** The same schema without room for members that it does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]))
  return inner.type === 'object' && inner.properties ? { ...inner, additionalProperties: false } : inner
}

/** Finds the template of a path: what is written out goes before parameters. */
function finder(templates: string[]): (path: string) => string | undefined {
  const routes = templates
    .map((template) => {
      const pattern = template.replace('{SwaggerPath}', '.*').replace(/\{\w+\}/g, '[^/]*')
      return {
        template,
        pattern: new RegExp(`^${pattern.replaceAll('/', '\\/')}$`),
        order: template.replace(/\{/g, '~'),
      }
    })
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  return (path) => {
    try {
      decodeURIComponent(path)
    } catch {
      return 'undecodable'
    }
    return routes.find(({ pattern }) => pattern.test(path))?.template
  }
}
