import { Type } from 'typebox'

/** A Swagger 1.1 document. */
export const Swagger11 = Type.Object(
  {
    apiVersion: Type.String(),
    apis: Type.Array(
      Type.Object({
        path: Type.String(),
        operations: Type.Array(
          Type.Object({
            httpMethod: Type.String(),
            nickname: Type.String(),
            parameters: Type.Optional(
              Type.Array(
                Type.Object({
                  allowMultiple: Type.Boolean(),
                  dataType: Type.String(),
                  name: Type.String(),
                  paramType: Type.String(),
                  required: Type.Boolean(),
                }),
              ),
            ),
            responseClass: Type.String(),
          }),
        ),
      }),
    ),
    basePath: Type.String(),
    resourcePath: Type.String(),
    swaggerVersion: Type.Literal('1.1'),
  },
  { title: 'Swagger11' },
)

/** A document of any other format; its own specification says what it holds. */
export const Description = Type.Record(Type.String(), Type.Unknown(), { title: 'Description' })
