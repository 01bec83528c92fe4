import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether lines that are pasted into a shell can run here. */
export function hasCurl(): Promise<boolean> {
  return promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  )
}
