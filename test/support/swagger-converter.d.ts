declare module 'swagger-converter' {
  interface Swagger20 {
    basePath: string
    host: string
    info: { version: string }
    paths: Record<string, Record<string, { operationId: string; parameters?: { in: string; name: string }[] }>>
  }
  export function convert(resourceListing: object, apiDeclarations: object): Swagger20
}
