import { setTimeout as sleep } from 'node:timers/promises'
import { destination } from 'pino'

const waitMs = 1000

/**
 * Standard output for the log: written a moment later, so that no request waits for whoever reads it. When the reader
 * stands still, what is new is dropped from 4 MiB on; when it is gone, the service goes on without a log.
 */
export const logOutput = destination({ dest: 1, sync: false, maxLength: 4 * 1024 * 1024 })
// The library's own way at an exit tries for ever when the reader is gone; `endLog` comes before each exit instead.
logOutput.flushSync = () => {}

// Any other error may pass, such as that of a full disk.
let isGone = false
logOutput.on('error', ({ code }: NodeJS.ErrnoException) => {
  isGone ||= code === 'EPIPE'
})

/** Resolves when the log's last line is written, or after a second when nobody takes it. */
export async function endLog(): Promise<void> {
  if (isGone) return
  const over = new Promise<void>((resolve) => logOutput.once('close', resolve).once('error', () => resolve()))
  logOutput.end()
  await Promise.race([over, sleep(waitMs)])
}
