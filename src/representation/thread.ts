import { parentPort } from 'node:worker_threads'
import { type Form, writeDocument } from './stored-document.ts'

/** What the writing thread is sent; it answers bytes. */
export interface Writing {
  text: string
  form: Form
}

parentPort?.on('message', ({ text, form }: Writing) => {
  const bytes = writeDocument(text, form)
  parentPort?.postMessage(bytes, [bytes.buffer])
})
