import { parentPort } from 'node:worker_threads'
import { type StoredVersion, type Wanted, writeDescription } from './write.ts'

/** What the describing thread is sent; it answers the description. */
export interface Describing {
  version: StoredVersion
  wanted: Wanted
}

const encoder = new TextEncoder()

parentPort?.on('message', ({ version, wanted }: Describing) => {
  const { content, notExpressed } = writeDescription(version, wanted)
  const bytes = encoder.encode(content)
  parentPort?.postMessage({ content: bytes, notExpressed }, [bytes.buffer])
})
