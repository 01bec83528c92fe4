import type { FastifyReply } from 'fastify'
import { isLarge, type ThreadFile, thread } from '../thread.ts'
import { nodeOf, type SchemaNode } from './schema.ts'
import { readDocument } from './stored-document.ts'
import type { Writing } from './thread.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Answers JSON text that is already what clients read, perhaps without some of its members; an answer in another format
     * is written from it.
     */
    document: (text: string, leftOut?: readonly string[]) => Answered
  }
}

/** An answer that is on its way, or will be. */
export type Answered = FastifyReply | Promise<FastifyReply>

/** Makes `reply.document`, and what ends its thread. */
export function documents(threadFile: ThreadFile | undefined) {
  const { give, close } = thread<Writing, Uint8Array>('representation', threadFile)

  function send(this: FastifyReply, text: string, leftOut: readonly string[] = []): Answered {
    const isXml = this.request.answer?.format === 'xml'
    if (!isXml && leftOut.length === 0) return this.send(text)
    if (isLarge(text)) {
      const form = { leftOut, xml: isXml ? schemaOf(this) : undefined }
      return give({ text, form }).then((bytes) => this.send(bytes))
    }
    const document = readDocument(text, leftOut)
    return this.send(isXml ? document : JSON.stringify(document))
  }
  return { send, close }
}

function schemaOf({ request, statusCode }: FastifyReply): SchemaNode {
  const response = request.routeOptions.schema?.response as Record<number, SchemaNode> | undefined
  return request.shape ? nodeOf(request.shape) : (response?.[statusCode] as SchemaNode)
}
