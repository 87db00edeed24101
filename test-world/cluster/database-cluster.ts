/** PostgreSQL as a cluster, from Debian's packages and with the settings in deploy/cluster: a synchronous replica under Patroni, which asks etcd who leads. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ask } from '../postgres/postgres-owner.ts'
import type { Host } from './hosts.ts'
import { isAnswering, soon } from './soon.ts'

const POSTGRES = '/usr/lib/postgresql'
const PASSWORD = 'a password of this trial'
const [ETCD_PORT, REST_PORT, PG_PORT] = [2379, 8008, 5432]
/** In deploy/cluster. */
const NAMES = ['one', 'two', 'three']
const ADDRESSES = ['10.0.0.11', '10.0.0.12', '10.0.0.13']
export const DEPLOY = join(import.meta.dirname, '../../deploy/cluster')

export type DatabaseCluster = {
  /** At a balancer or a host. */
  urlAt(address: string): string
  /** Where the one runs that takes writes. @throws when none does */
  leader(): Promise<Host>
  /** Another PostgreSQL follows it and has what it has, and all members of etcd are well. */
  isWhole(): Promise<boolean>
  startEtcd(host: Host): void
  startPostgres(host: Host): void
  /** Makes a replica anew that does not follow, as an operator does. Returns whether there was one. */
  mendReplica(): Promise<boolean>
  close(): void
}

type Place = { etcd: readonly Host[]; postgres: readonly Host[]; logs: string }

export const startDatabaseCluster = async ({
  etcd,
  postgres,
  logs,
}: Place): Promise<DatabaseCluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-patroni-'))
  spawnSync('chown', ['postgres', folder])
  const asPostgres = { user: 'postgres', cwd: folder }
  const startEtcd = (host: Host) => {
    const settings = filledIn('etcd.env', host, etcd)
    const dataDir = join(folder, `etcd-${host.name}`)
    const env = { PATH: process.env.PATH, ...settings, ETCD_DATA_DIR: dataDir }
    host.run(['/usr/bin/etcd', '--logger', 'zap', '--log-level', 'error'], { ...asPostgres, env })
  }
  const startPostgres = (host: Host) => {
    const command = ['/usr/bin/patroni', settingsOf(host, folder)]
    const env = { PATH: process.env.PATH, ...environmentOf(host, etcd, folder) }
    const log = openSync(join(logs, `patroni-${host.name}.log`), 'a')
    host.run(command, { ...asPostgres, env, stdio: ['ignore', log, log] })
    closeSync(log)
  }
  for (const host of etcd) startEtcd(host)
  for (const host of postgres) startPostgres(host)
  const at = ({ address }: Host, path: string) => `http://${address}:${REST_PORT}/${path}`
  const cluster: DatabaseCluster = {
    urlAt: (address) =>
      `postgres://postgres:${encodeURIComponent(PASSWORD)}@${address}:${PG_PORT}/mailstead`,
    leader: async () => {
      for (const host of postgres) if (await isAnswering(at(host, 'primary'))) return host
      throw new Error('no PostgreSQL leads')
    },
    isWhole: async () => {
      const health = etcd.map(({ address }) => isAnswering(`http://${address}:${ETCD_PORT}/health`))
      const members = await Promise.all(health)
      // A follower that has just become the leader answers to both for a moment.
      const roles = await Promise.all(
        postgres.map(async (host) => {
          const isRole = (role: string) => isAnswering(at(host, role))
          return (await Promise.all([isRole('primary'), isRole('sync')])).join()
        }),
      )
      const isPair = roles.toSorted().join(' ') === 'false,true true,false'
      return isPair && members.every((isWell) => isWell)
    },
    mendReplica: async () => {
      const leader = await cluster.leader()
      const others = postgres.filter((host) => host !== leader)
      const isLost = await Promise.all(
        others.map(async (host) => !(await isAnswering(at(host, 'sync')))),
      )
      const lost = others.filter((_, n) => isLost[n])
      for (const host of lost)
        await fetch(at(host, 'reinitialize'), { method: 'POST', body: '{"force":true}' })
      return lost.length > 0
    },
    ...{ startEtcd, startPostgres },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
  await soon('the cluster of PostgreSQL', cluster.isWhole)
  const { address } = await cluster.leader()
  const connection = { host: address, port: PG_PORT, user: 'postgres', password: PASSWORD }
  await ask({ ...connection, database: 'postgres' }, 'create database mailstead')
  return cluster
}

/** A file of deploy/cluster as an operator writes it to a host of ours. */
const filledIn = (file: string, { name, address }: Host, hosts: readonly Host[]) => {
  const ours = hosts.reduce(
    (text, host, n) =>
      text
        .replaceAll(`${ADDRESSES[n]}:`, `${host.address}:`)
        .replaceAll(`${NAMES[n]}=http`, `${host.name}=http`),
    readFileSync(join(DEPLOY, file), 'utf8'),
  )
  return parseEnv(ours.replaceAll('@NAME@', name).replaceAll('@ADDRESS@', address))
}

/** A folder that Patroni reads: the file of all hosts, and one with what is so only because they share a machine. */
const settingsOf = ({ name }: Host, folder: string): string => {
  const [settings, sockets] = [join(folder, `settings-${name}`), join(folder, `sockets-${name}`)]
  for (const each of [settings, sockets]) mkdirSync(each, { recursive: true })
  spawnSync('chown', ['postgres', sockets])
  copyFileSync(join(DEPLOY, 'patroni.yml'), join(settings, 'patroni.yml'))
  const parameters = { unix_socket_directories: sockets }
  writeFileSync(join(settings, 'sockets.yml'), JSON.stringify({ postgresql: { parameters } }))
  return settings
}

const environmentOf = (host: Host, etcd: readonly Host[], folder: string) => ({
  ...filledIn('patroni.env', host, etcd),
  PATRONI_POSTGRESQL_DATA_DIR: join(folder, `data-${host.name}`),
  PATRONI_POSTGRESQL_BIN_DIR: binDir(),
  PATRONI_POSTGRESQL_PGPASS: join(folder, `pgpass-${host.name}`),
  ...{ PATRONI_SUPERUSER_PASSWORD: PASSWORD, PATRONI_REPLICATION_PASSWORD: PASSWORD },
})

const binDir = (): string => {
  const newest = readdirSync(POSTGRES).toSorted((a, b) => Number(b) - Number(a))[0]
  if (newest === undefined) throw new Error('PostgreSQL of Debian is not installed')
  return join(POSTGRES, newest, 'bin')
}
