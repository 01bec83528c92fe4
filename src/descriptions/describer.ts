import { isLarge, type ThreadFile, thread } from '../thread.ts'
import type { Describing } from './thread.ts'
import { type StoredVersion, type Wanted, type WrittenDescription, writeDescription } from './write.ts'

/** Describes versions, large ones in a thread of its own. */
export interface Describer {
  /** @throws Unavailable when too many wait, or a version takes too much. */
  write: (version: StoredVersion, wanted: Wanted) => WrittenDescription | Promise<WrittenDescription>
  close: () => Promise<void>
}

export function describer(threadFile?: ThreadFile): Describer {
  const { give, close } = thread<Describing, WrittenDescription>('descriptions', threadFile)
  return {
    write: (version, wanted) => (isLarge(version.doc) ? give({ version, wanted }) : writeDescription(version, wanted)),
    close,
  }
}
