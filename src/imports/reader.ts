import { Malformed, Unavailable } from '../fault.ts'
import { atMost } from '../in-flight.ts'
import { type ThreadFile, type ThreadLimits, TooMuch, thread } from '../thread.ts'
import { fairLine } from './line.ts'
import type { ReadFile } from './read-file.ts'
import type { Outcome, Reading } from './thread.ts'

/** Reads files, one at a time and by turns of their users, in a thread of its own. */
export interface FileReader {
  /** @throws Malformed saying where; Unavailable when too many files wait, or this one has waited for too long. */
  read: (user: string, bytes: Uint8Array, fileName: string) => Promise<ReadFile>
  close: () => Promise<void>
}

export interface ReaderLimits extends ThreadLimits {
  /** Milliseconds until a file that waits for others is refused. */
  wait: number
}

// A pipeline sends several; others have room beside it, and take turns with it.
const mostAtOnce = { ofOneKey: 10, inAll: 20 }
const usualWait = 20_000
const tooMany = () => new Unavailable('Many files are being read: try again.')

export function fileReader(threadFile?: ThreadFile, limits: Partial<ReaderLimits> = {}): FileReader {
  const { give, close } = thread<Reading, Outcome>('imports', threadFile, limits)
  const inLine = fairLine(limits.wait ?? usualWait, tooMany)
  const withinLimit = atMost(mostAtOnce, tooMany)

  async function readNow(reading: Reading): Promise<ReadFile> {
    const outcome = await give(reading).catch((error) => {
      throw error instanceof TooMuch ? unreadable(`it ${error.what} to read`) : error
    })
    if ('file' in outcome) return outcome.file
    throw unreadable(outcome.refused, outcome.pointer)
  }

  return {
    read: (user, bytes, fileName) => withinLimit(user, () => inLine(user, () => readNow({ bytes, fileName }))),
    close,
  }
}

function unreadable(message: string, pointer?: string): Malformed {
  const what = pointer === undefined ? message : `${pointer} ${message}`
  return new Malformed(
    `The file cannot be imported: ${what}.`,
    pointer === undefined ? undefined : [{ pointer, message }],
  )
}
