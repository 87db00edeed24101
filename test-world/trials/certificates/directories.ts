/** Directories that the whole product asks for certificates: one of ours, and Pebble of the Debian packages in strict mode. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { anAcmeDirectory, HOST } from '../../acme/acme-directory.ts'
import { anAuthority } from '../../acme/authority.ts'
import type { TestDns } from '../../dns/dns-server.ts'
import { freePort } from '../../free-port.ts'

export type TrialDirectory = {
  url: string
  /** File with the root that signs the directory itself. */
  caFile: string
  /** The root of what it issues, in PEM. */
  root: string
  isRevoked(serial: string): Promise<boolean>
  close(): Promise<void>
}

/** Where the directory looks at names. */
export type Ports = { http: number; tls: number }

export const ourDirectory = async (ports: Ports): Promise<TrialDirectory> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-directory-'))
  const directory = await anAcmeDirectory(() => new Date())
  Object.assign(directory.ports, ports)
  const caFile = join(folder, 'root.pem')
  writeFileSync(caFile, directory.root)
  return {
    ...{ url: directory.url, caFile, root: directory.root },
    isRevoked: async (serial) => directory.revoked.includes(serial),
    close: async () => {
      await directory.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const READY_MS = 15_000

/** It refuses a part of all nonces, and forgets everything when it ends. */
export const pebble = async (ports: Ports, dns: TestDns): Promise<TrialDirectory> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-pebble-'))
  const authority = anAuthority()
  const { cert, key } = authority.forServer(HOST)
  const [port, managementPort] = [await freePort(), await freePort()]
  const files = {
    root: join(folder, 'root.pem'),
    cert: join(folder, 'a.crt'),
    key: join(folder, 'a.key'),
  }
  writeFileSync(files.root, authority.root)
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const config = join(folder, 'pebble.json')
  const settings = {
    ...{
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
    },
    ...{ certificate: files.cert, privateKey: files.key, httpPort: ports.http, tlsPort: ports.tls },
    ...{ ocspResponderURL: '', externalAccountBindingRequired: false },
  }
  writeFileSync(config, JSON.stringify({ pebble: settings }))
  const child = spawn('pebble', ['-config', config, '-strict', '-dnsserver', `${dns.address}`], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1' },
  })
  const management = `https://127.0.0.1:${managementPort}`
  return {
    ...{ url: `https://${HOST}:${port}/dir`, caFile: files.root },
    root: await rootOf(child, `${management}/roots/0`),
    isRevoked: async (serial) =>
      (await get(`${management}/cert-status-by-serial/${serial}`)).includes('Revoked'),
    close: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

const rootOf = async (child: ChildProcess, url: string): Promise<string> => {
  let death: unknown = null
  child.once('error', (error) => (death = error)).once('exit', (code) => (death ??= code))
  const giveUpAt = Date.now() + READY_MS
  for (;;) {
    if (death !== null) throw new Error(`Pebble ended: ${death}`)
    const root = await get(url).catch(() => null)
    if (root !== null) return root
    if (Date.now() > giveUpAt) throw new Error('Pebble is not ready')
    await wait(50)
  }
}

const get = async (url: string): Promise<string> => {
  const asked = request(url, { rejectUnauthorized: false, agent: false }).end()
  const [response] = await once(asked, 'response')
  return Buffer.concat(await response.toArray()).toString()
}
