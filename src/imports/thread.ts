import { parentPort } from 'node:worker_threads'
import { type ReadFile, readFile } from './read-file.ts'
import { Unreadable } from './unreadable.ts'

/** What the reading thread is sent, and what it answers; it ends of any other error. */
export interface Reading {
  bytes: Uint8Array
  fileName: string
}
export type Outcome = { file: ReadFile } | { refused: string; pointer: string | undefined }

parentPort?.on('message', (reading: Reading) => parentPort?.postMessage(outcome(reading)))

function outcome({ bytes, fileName }: Reading): Outcome {
  try {
    return { file: readFile(bytes, fileName) }
  } catch (error) {
    if (error instanceof Unreadable) return { refused: error.message, pointer: error.pointer }
    // The stack is full.
    if (error instanceof RangeError) return { refused: 'it is nested too deeply', pointer: undefined }
    throw error
  }
}
