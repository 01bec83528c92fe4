import fc from 'fast-check'
import { anyVersion, hardText } from './version-body.ts'

const braces = ['{', '}', '{a}', '{b}', '{path:.+|}', '{id:[0-9]{3}}', '{}', '{:x}', '{a/b}', '{a{b}}', '{ a }', '{ü}']
const signs = ['/', '?', '#', '%zz', '.json', ':', '__proto__', '$ref']
const odd = fc.oneof(
  fc.array(fc.constantFrom(...braces, ...signs, 'a', 'pets'), { maxLength: 6 }).map((parts) => parts.join('')),
  hardText,
)
const path = fc.oneof(
  fc.constantFrom('/', '/a', '/{a}', '/{b}', '/{a}/{a}', '/pets/{id}', '/pets/{petId}', '/{path:.+|}'),
  odd.map((text) => `/${text}`),
)
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'Post']
const oddMethods = ['CONNECT', 'LINK', 'constructor', 'parameters']
const types = ['', '*/*', 'application/json, application/xml', 'application/json,, application/json', 'garbage']
const oddTypes = [
  'a/b;c="d,e"',
  'text/plain; charset=utf-8',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
]
const contentType = fc.oneof(fc.constantFrom(...types, ...oddTypes), hardText)
const input = fc.record(
  {
    Name: fc.oneof(fc.constantFrom('a', 'b', 'id', 'path', 'ü', 'body'), odd),
    Type: fc.oneof(
      fc.constantFrom('path', 'query', 'header', 'body', 'form', 'formData', 'cookie', ' PATH ', 'matrix'),
      hardText,
    ),
  },
  { requiredKeys: ['Name'] },
)
const operation = fc.record(
  {
    Name: fc.oneof(
      fc.constantFrom('a', 'a_2', 'a b', 'a.b', '__proto__'),
      odd.map((text) => `${text}.`),
    ),
    Method: fc.constantFrom(...methods, ...oddMethods),
    Path: path,
    Input: fc.array(input, { maxLength: 4 }),
    InputContentType: contentType,
    OutputContentType: contentType,
    FaultContentType: contentType,
  },
  { requiredKeys: ['Name'] },
)
const url = fc.constantFrom(
  'https://a.test',
  'http://a.test/',
  'HTTPS://A.test/v1/',
  'http://[::1]:8080/x',
  'https://h.test/{env}/v1',
  'http://a{b}.test/',
  'http://a.test/v?x={y}#z',
  'https://é.test/ü|^%zz',
  'http://h.test//x',
)

/** Any version that a request may carry, with operations and endpoints that are hard to describe; without a Name. */
export const describableVersion = fc
  .tuple(
    anyVersion,
    fc.array(operation, { maxLength: 8 }),
    fc.record({ ProductionEndpoint: fc.option(url), SandboxEndpoint: url }, { requiredKeys: [] }),
  )
  .map(([version, Operation, endpoints]) => ({ ...version, Operations: { Operation }, ...endpoints }))
