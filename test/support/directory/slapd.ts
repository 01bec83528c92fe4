import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryPrefix } from '../database.ts'
import { freePort } from '../free-port.ts'
import { ldif, service, suffix } from './seeds.ts'
import type { TestDirectory } from './test-directory.ts'

const program = '/usr/sbin/slapd'
const schemas = '/etc/ldap/schema'
const modules = '/usr/lib/ldap'
const tls = fileURLToPath(new URL('../../fixtures/tls', import.meta.url))

/** Whether the system has OpenLDAP's server, where Debian puts it. */
export const hasSlapd = [program, `${schemas}/inetorgperson.schema`, `${modules}/back_mdb.la`].every((path) =>
  existsSync(path),
)

const configuration = (folder: string) => `
include ${schemas}/core.schema
include ${schemas}/cosine.schema
include ${schemas}/inetorgperson.schema
include ${schemas}/nis.schema
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
modulepath ${modules}
moduleload back_mdb
moduleload memberof
objectclass ( 1.3.6.1.4.1.55555.1 NAME 'directoryPerson' SUP top AUXILIARY MAY objectGUID )
allow bind_anon_dn
TLSCertificateFile ${tls}/localhost.pem
TLSCertificateKeyFile ${tls}/localhost.key
database mdb
suffix "${suffix}"
rootdn "cn=root,${suffix}"
directory ${folder}/db
index uid eq
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${service.dn}" read by * none
`

/** Starts OpenLDAP's server on free ports of this machine, without any right of its own. */
export async function startSlapd(): Promise<TestDirectory> {
  const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
  await mkdir(join(folder, 'db'))
  const file = join(folder, 'slapd.conf')
  await writeFile(file, configuration(folder))
  await writeFile(join(folder, 'seeds.ldif'), ldif())
  await promisify(execFile)(program, ['-T', 'add', '-f', file, '-l', join(folder, 'seeds.ldif')])
  const [port, tlsPort] = [await freePort(), await freePort()]
  let child = await run()

  async function run(): Promise<ChildProcess> {
    const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`
    const started = spawn(program, ['-f', file, '-h', urls, '-d', '0'], { stdio: 'ignore' })
    await Promise.all([answering(port), answering(tlsPort)])
    return started
  }

  async function end(): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill()
    await ended
  }

  return {
    port,
    tlsPort,
    startTlsPort: port,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    end,
    begin: async () => {
      child = await run()
    },
    remove: async () => {
      if (child.exitCode === null && child.signalCode === null) await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (tries === 200) throw error
      await sleep(25)
    } finally {
      socket.destroy()
    }
  }
}
