/** The files of a cluster name what the product and each other know. `npm run soak -- cluster` starts them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { type Config, readConfig } from '#server/config.ts'

const FOLDER = 'deploy/cluster'
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')
const valuesOf = (file: string) => parseEnv(read(file)) as Record<string, string>
const ROLE_FILES = ['web', 'mail', 'worker'] as const

/** What each process is told, once the operator has written the secrets. */
const configs = (): Record<(typeof ROLE_FILES)[number], Config> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-deploy-'))
  try {
    const shared = read('mailstead.env').replace(/^SECRET=$/m, `SECRET=${'a'.repeat(64)}`)
    writeFileSync(join(folder, 'mailstead.env'), shared)
    const of = (roles: string) => readConfig(valuesOf(`${roles}.env`), folder)
    return { web: of('web'), mail: of('mail'), worker: of('worker') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)
const once = (texts: readonly (string | undefined)[]): (string | undefined)[] => [...new Set(texts)]

test('three processes of a host have all roles, each once, and say how they are at ports of their own', () => {
  const { web, mail, worker } = configs()
  expect([web, mail, worker].flatMap(({ roles }) => roles).toSorted()).toEqual(
    [...readConfig({}, FOLDER.replace('cluster', '')).roles].toSorted(),
  )
  const ports = [web, mail, worker].map(({ metricsListen }) => metricsListen?.port)
  expect(new Set(ports).size).toBe(3)
})

test('the balancer leads to the ports of the product, and asks for its health where it is told', () => {
  const { web, mail } = configs()
  const front = read('front.cfg')
  const sectionOf = (name: string) =>
    front.split(`\nlisten ${name}\n`)[1]?.split('\nlisten ')[0] ?? ''
  const portsOf = (name: string) => once(all(sectionOf(name), /"\$\{PRODUCT_\d\}":(\d+)/g))
  expect(portsOf('web')).toEqual([`${web.port}`])
  expect(portsOf('imaps')).toEqual([`${mail.imapsPort}`])
  expect(portsOf('submissions')).toEqual([`${mail.submissionsPort}`])
  expect(once(all(front, /check port (\d+)/g))).toEqual([`${mail.metricsListen?.port}`])
  const [, three] = /three=http:\/\/([\d.]+):/.exec(read('etcd.env')) ?? []
  expect(web.trustedProxies).toEqual([three])
  expect(mail.proxyProtocol).toEqual([three])
})

test('the product reaches the database where the balancer beside it listens', () => {
  const { web } = configs()
  const [, bind = ''] = /^ {2}bind (\S+)$/m.exec(read('database.cfg')) ?? []
  expect(web.databaseUrl).toContain(`@${bind}/`)
  const { PATRONI_RESTAPI_LISTEN, PATRONI_POSTGRESQL_LISTEN } = valuesOf('patroni.env')
  const servers = all(read('database.cfg'), /^ {2}server (.*)$/gm)
  expect(servers).toHaveLength(2)
  for (const server of servers) {
    expect(server).toContain(`check port ${PATRONI_RESTAPI_LISTEN?.split(':')[1]}`)
    expect(server).toContain(`":${PATRONI_POSTGRESQL_LISTEN?.split(':')[1]} `)
  }
})

test('the addresses of hosts are the same in all files', () => {
  const named = all(`${read('database.cfg')}${read('front.cfg')}`, /\$\{(\w+)\}/g)
  const hosts = valuesOf('haproxy.env')
  expect(once(named).toSorted()).toEqual(Object.keys(hosts).toSorted())
  const { ETCD_INITIAL_CLUSTER = '', ETCD_LISTEN_CLIENT_URLS } = valuesOf('etcd.env')
  const members = all(ETCD_INITIAL_CLUSTER, /http:\/\/([\d.]+):2380/g)
  expect(members).toHaveLength(3)
  expect(once(Object.values(hosts))).toEqual(members.slice(0, 2))
  expect(ETCD_LISTEN_CLIENT_URLS).toBe('http://@ADDRESS@:2379')
  expect(valuesOf('patroni.env').PATRONI_ETCD_HOSTS).toBe(
    members.map((address) => `'${address}:2379'`).join(),
  )
})

test('the page names every file, and install.sh every file of roles', () => {
  const page = readFileSync('docs/operating/cluster.md', 'utf8')
  for (const file of readdirSync(FOLDER)) expect(page).toContain(`\`${file}\``)
  expect(readFileSync('deploy/install.sh', 'utf8')).toContain(
    `for roles in ${ROLE_FILES.join(' ')}; do`,
  )
  const unit = read('mailstead@.conf')
  expect(unit).toContain('EnvironmentFile=/etc/mailstead/%i.env')
  expect(all(unit, /^\[(\w+)\]$/gm)).toEqual(['Unit', 'Service'])
})
