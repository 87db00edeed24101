/** PostgreSQL as a cluster, from Debian's packages and with the settings in deploy/cluster: a synchronous replica under Patroni, which asks etcd who leads. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../postgres/postgres-owner.ts'
import type { Host } from './hosts.ts'
import { isAnswering, soon } from './soon.ts'

const POSTGRES = '/usr/lib/postgresql'
const PASSWORD = 'a password of this trial'
const [ETCD_PORT, PEER_PORT, REST_PORT, PG_PORT] = [2379, 2380, 8008, 5432]
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
    host.run(
      ['/usr/bin/etcd', ...etcdArgs(host, etcd, join(folder, `etcd-${host.name}`))],
      asPostgres,
    )
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

const etcdArgs = ({ name, address }: Host, all: readonly Host[], dataDir: string): string[] => [
  ...['--name', name, '--data-dir', dataDir, '--logger', 'zap', '--log-level', 'error'],
  ...['--listen-client-urls', `http://${address}:${ETCD_PORT}`],
  ...['--advertise-client-urls', `http://${address}:${ETCD_PORT}`],
  ...['--listen-peer-urls', `http://${address}:${PEER_PORT}`],
  ...['--initial-advertise-peer-urls', `http://${address}:${PEER_PORT}`],
  '--initial-cluster',
  all.map((host) => `${host.name}=http://${host.address}:${PEER_PORT}`).join(','),
  // deploy/cluster/patroni.yml says why.
  '--enable-v2',
  ...['--initial-cluster-state', 'new', '--initial-cluster-token', 'mailstead'],
]

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

const environmentOf = ({ name, address }: Host, etcd: readonly Host[], folder: string) => ({
  PATRONI_NAME: name,
  PATRONI_RESTAPI_LISTEN: `${address}:${REST_PORT}`,
  PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:${REST_PORT}`,
  PATRONI_POSTGRESQL_LISTEN: `${address}:${PG_PORT}`,
  PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:${PG_PORT}`,
  PATRONI_POSTGRESQL_DATA_DIR: join(folder, `data-${name}`),
  PATRONI_POSTGRESQL_BIN_DIR: binDir(),
  PATRONI_POSTGRESQL_PGPASS: join(folder, `pgpass-${name}`),
  PATRONI_ETCD_HOSTS: etcd.map((member) => `'${member.address}:${ETCD_PORT}'`).join(','),
  ...{ PATRONI_SUPERUSER_USERNAME: 'postgres', PATRONI_SUPERUSER_PASSWORD: PASSWORD },
  ...{ PATRONI_REPLICATION_USERNAME: 'replicator', PATRONI_REPLICATION_PASSWORD: PASSWORD },
})

const binDir = (): string => {
  const newest = readdirSync(POSTGRES).toSorted((a, b) => Number(b) - Number(a))[0]
  if (newest === undefined) throw new Error('PostgreSQL of Debian is not installed')
  return join(POSTGRES, newest, 'bin')
}
