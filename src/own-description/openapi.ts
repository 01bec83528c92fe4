// The parts of OpenAPI 3.1 that the description uses.

export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description?: string
  schema: Schema
}

export interface Content {
  schema: Schema
  examples?: Record<string, { value: unknown }>
}

export interface Header {
  description: string
  schema: Schema
}

export interface Response {
  description: string
  headers?: Record<string, Header>
  content?: Record<string, Content>
}

export interface Reference {
  $ref: string
}

export interface Operation {
  operationId?: string
  tags?: readonly string[]
  summary?: string
  description: string
  deprecated?: true
  /** What replaces a deprecated operation, or the deprecated media types of one. */
  'x-replaced-by'?: string
  'x-permission': string
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, Response | Reference>
}

export interface SecurityScheme {
  type: 'apiKey'
  in: 'cookie' | 'header'
  name: string
  description: string
}

export interface Document {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    securitySchemes: Record<string, SecurityScheme>
  }
}
