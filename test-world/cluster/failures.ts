/** What dies in a cluster, and comes back. */
import type { Chance } from '../trials/seeded.ts'
import type { Cluster } from './cluster.ts'
import type { Host } from './hosts.ts'
import { ALL_ROLES } from './product-host.ts'

export type Failure = {
  /** Of what exactly. */
  detail: string
  /** For how long. */
  away: { from: number; to: number }
  strike(): Promise<void> | void
  /** Brings back what does not come back by itself. */
  mend(): Promise<void> | void
}

const AWAY_MS = { from: 5_000, to: 10_000 }
/** There is one store: mail waits for as long as it is away. A supervisor starts one that was killed after two seconds, as it does the product. */
const STORE_AWAY_MS = { from: 4_000, to: 8_000 }
const RESTARTED_MS = { from: 2_000, to: 2_000 }
/** Until the other database leads for sure. */
const DATABASE_AWAY_MS = { from: 20_000, to: 23_000 }

type Kind = (cluster: Cluster, chance: Chance) => Promise<Failure> | Failure

const otherDatabase = async ({ databases, network }: Cluster) => {
  const { 'db-1': one, 'db-2': two } = network.hosts
  return (await databases.leader()) === one ? two : one
}

const withoutPower = (host: Host, { databases }: Cluster): Failure => ({
  detail: host.name,
  away: DATABASE_AWAY_MS,
  strike: () => host.die(),
  mend: () => {
    databases.startEtcd(host)
    databases.startPostgres(host)
  },
})

const withoutNetwork = (host: Host, away = AWAY_MS): Failure => ({
  ...{ detail: host.name, away, strike: host.unplug, mend: host.plug },
})

export const kinds: Record<string, Kind> = {
  'a process of the product is killed': ({ products }, chance) => {
    const product = chance.oneOf(products)
    const roles = chance.oneOf(ALL_ROLES)
    const strike = () => product.kill(roles)
    return { detail: `${roles} of ${product.host.name}`, away: AWAY_MS, strike, mend: () => {} }
  },
  'a host of the product loses its power': ({ products }, chance) => {
    const { host, die, start } = chance.oneOf(products)
    return { detail: host.name, away: AWAY_MS, strike: die, mend: start }
  },
  'a host of the product loses its network': ({ products }, chance) =>
    withoutNetwork(chance.oneOf(products).host),
  'the host of the first database loses its power': async (cluster) =>
    withoutPower(await cluster.databases.leader(), cluster),
  'the host of the first database loses its network': async ({ databases }) =>
    withoutNetwork(await databases.leader(), DATABASE_AWAY_MS),
  'the host of the replica loses its power': async (cluster) =>
    withoutPower(await otherDatabase(cluster), cluster),
  'a member of etcd is killed': ({ network, databases }, chance) => {
    const { 'db-1': one, 'db-2': two, 'db-3': three } = network.hosts
    const host = chance.oneOf([one, two, three])
    const mend = () => databases.startEtcd(host)
    return { detail: host.name, away: AWAY_MS, strike: () => host.kill('etcd'), mend }
  },
  'the store is killed': ({ store }) => ({
    ...{ detail: 'store', away: RESTARTED_MS, strike: store.die, mend: store.start },
  }),
  'the store loses its network': ({ network }) =>
    withoutNetwork(network.hosts.store, STORE_AWAY_MS),
  'two hosts do not hear each other': ({ network }, chance) => {
    const all = Object.values(network.hosts)
    const at = chance.between(0, all.length - 1)
    const [one, other] = [all[at], all[(at + chance.between(1, all.length - 1)) % all.length]]
    if (one === undefined || other === undefined) throw new Error('there are no two hosts')
    return {
      detail: `${one.name} and ${other.name}`,
      away: AWAY_MS,
      strike: () => network.cut(one, other),
      mend: () => network.mend(one, other),
    }
  },
}

/** Each kind once, then each once again, in an order that the chance chooses. */
export function* inTurn(chance: Chance): Generator<[string, Kind], never> {
  for (;;) {
    const left = Object.entries(kinds)
    while (left.length > 0) {
      const [next] = left.splice(chance.between(0, left.length - 1), 1)
      if (next !== undefined) yield next
    }
  }
}
