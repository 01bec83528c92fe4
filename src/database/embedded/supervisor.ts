import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Account, environment } from './account.ts'

export interface Server {
  postgres: string
  /** The data folder. */
  folder: string
  /** The folder of the unix socket. */
  sockets: string
  settings: Record<string, string>
  account: Account
}

/** One run of the server, from spawn to exit. */
export interface Run {
  /** Whether it came to accept connections; false when it ended before. */
  ready: Promise<boolean>
  ended: Promise<void>
  /** The last lines of its log. */
  lines: string[]
}

// Standard input is a pipe that only this process holds: when it closes, whatever we died of, PostgreSQL is told to stop
// (again and again, because it is deaf in its first moments) and the socket folder goes with it. PostgreSQL itself never
// sees the pipe.
const script = `
sockets=$1; shift
exec 3<&0
"$@" 0</dev/null 3<&- & pid=$!
trap "kill -INT $pid" INT TERM
trap "kill -QUIT $pid" QUIT
trap "closed=yes" HUP
(read -r _ <&3; kill -HUP $$; while kill -INT $pid; do sleep 1; done) >/dev/null 2>&1 & watcher=$!
exec 3<&-
wait $pid; status=$?
while kill -0 $pid 2>/dev/null; do wait $pid; status=$?; done
kill $watcher 2>/dev/null
[ "$closed" ] && rmdir "$sockets" 2>/dev/null
exit $status`

const keptLines = 20

// For when the watcher was killed, when a checkpoint takes for ever, and when the server is frozen: the last one ends the
// supervisor alone, and the watcher goes on.
const urging: [number, NodeJS.Signals][] = [
  [2000, 'SIGTERM'],
  [30_000, 'SIGQUIT'],
  [35_000, 'SIGKILL'],
]

/**
 * Starts the server once, in a session of its own so that Ctrl-C does not reach it. An abort of `signal` stops it.
 * `notHolder` is a process id in an old lock file that is known not to be a server.
 */
export function startOnce(server: Server, signal: AbortSignal, notHolder?: number): Run {
  const settings = { ...server.settings, listen_addresses: '' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [server.postgres, '-D', server.folder, '-k', server.sockets, '-p', '5432', ...options]
  const child = spawn('/bin/sh', ['-c', script, 'sh', server.sockets, ...command], {
    cwd: '/',
    // PostgreSQL then takes a lock file of that process for a dead one's, and still looks for servers on its memory.
    env: { ...environment, ...(notHolder && { PG_GRANDPARENT_PID: String(notHolder) }) },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...server.account,
  })

  const lines: string[] = []
  const ready = new Promise<boolean>((resolve) => {
    // Read to the end of its life: a full pipe would block it.
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (lines.length > keptLines) lines.shift()
      if (line.includes('ready to accept connections')) resolve(true)
    })
    child.on('error', (error) => {
      lines.push(error.message)
      resolve(false)
    })
    child.on('close', () => resolve(false))
  })
  child.stdin.on('error', () => {})

  const ended = new Promise<void>((resolve) => {
    const timers: NodeJS.Timeout[] = []
    const stop = () => {
      child.stdin.end()
      for (const [ms, sign] of urging) timers.push(setTimeout(() => child.kill(sign), ms))
    }
    const finish = () => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    child.on('error', finish)
    child.on('exit', finish)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  return { ready, ended, lines }
}
