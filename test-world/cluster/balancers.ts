/** HAProxy with the settings in deploy/cluster. */
import { join } from 'node:path'
import { DEPLOY } from './database-cluster.ts'
import type { Host } from './hosts.ts'

const HAPROXY = '/usr/sbin/haproxy'

type Pair = readonly [Host, Host]

/** On a host of the product: 127.0.0.1:5432 leads to the PostgreSQL that takes writes. */
export const startDatabaseBalancer = (host: Host, [one, two]: Pair): void => {
  const env = { DATABASE_1: one.address, DATABASE_2: two.address }
  host.run([HAPROXY, '-db', '-f', join(DEPLOY, 'database.cfg')], { env })
}

/** In front of the hosts of the product. */
export const startFront = (host: Host, [one, two]: Pair): void => {
  const env = { PRODUCT_1: one.address, PRODUCT_2: two.address }
  const files = [join(DEPLOY, 'front.cfg'), join(import.meta.dirname, 'smtp.cfg')]
  host.run([HAPROXY, '-db', ...files.flatMap((file) => ['-f', file])], { env })
}
