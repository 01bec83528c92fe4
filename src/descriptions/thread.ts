import { parentPort } from 'node:worker_threads'
import { type StoredVersion, type Wanted, writeDescription } from './write.ts'

/** What the describing thread is sent; it answers the description. */
export interface Describing {
  version: StoredVersion
  wanted: Wanted
}

parentPort?.on('message', ({ version, wanted }: Describing) => {
  const description = writeDescription(version, wanted)
  parentPort?.postMessage(description, [description.bytes.buffer])
})
