import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** What the lock file of a data folder says of the server that made it. */
export interface Lock {
  pid: number
  port: number
  sockets: string
}

/** Reads `postmaster.pid`; undefined when there is none, or not yet all of it. */
export async function readLock(folder: string): Promise<Lock | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, sockets] = text.split('\n')
  return Number(pid) > 0 && sockets ? { pid: Number(pid), port: Number(port), sockets } : undefined
}

export interface Holder {
  /** False for a process that took over the id of a server long gone, and for one that is dead but not yet buried. */
  isServer: boolean
  /** Whether the process that watches over it lives. */
  isSupervised: boolean
}

/** Looks at the process that a lock file names; undefined when there is none. */
export async function findHolder(pid: number): Promise<Holder | undefined> {
  const found = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
  if (!found) return undefined
  return {
    isServer: basename(found.program) === 'postgres' && !found.state.startsWith('Z'),
    // The supervisor leads the group of its server; an orphan has another parent, and keeps the group.
    isSupervised: found.parent === found.group,
  }
}

interface ProcessEntry {
  program: string
  state: string
  parent: number
  group: number
}

async function fromProc(pid: number): Promise<ProcessEntry | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, program, state, parent, group] = /^\d+ \((.*)\) (\S) (\d+) (\d+)/s.exec(text) ?? []
  return program && state ? { program, state, parent: Number(parent), group: Number(group) } : undefined
}

async function fromPs(pid: number): Promise<ProcessEntry | undefined> {
  const columns = ['-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'comm=']
  const { stdout } = await promisify(execFile)('ps', [...columns, '-p', String(pid)]).catch(() => ({ stdout: '' }))
  const [, parent, group, state, program] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/s.exec(stdout) ?? []
  return program && state ? { program, state, parent: Number(parent), group: Number(group) } : undefined
}
