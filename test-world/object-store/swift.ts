/** OpenStack Swift with its S3 interface, from Debian: a real object store, which checks every signature. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { freePort } from '../free-port.ts'
import type { ObjectStore } from './object-store.ts'

/** Debian's own Python has its packages. */
const PYTHON = '/usr/bin/python3'
const RING_BUILDER = [
  '-c',
  'import sys; sys.argv[0] = "swift-ring-builder"; from swift.cli.ringbuilder import main; main()',
]

const SERVERS = ['account', 'container', 'object'] as const

/** Where it runs: its processes are made by `run`, and answer at the address. */
export type Place = {
  address: string
  run(command: string[], options: SpawnOptions): ChildProcess
}

const HERE: Place = {
  address: '127.0.0.1',
  run: ([command = '', ...args], options) => spawn(command, args, options),
}

/** Needs python3-swift and memcached. */
export const startSwift = async ({ address, run } = HERE): Promise<ObjectStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-swift-'))
  const port = await freePort()
  const memcached = await freePort()
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() }
  writeFileSync(join(folder, 'run.py'), RUN)
  writeFileSync(join(folder, 'swift.conf'), SWIFT_CONF)
  mkdirSync(join(folder, 'devices/sdb1'), { recursive: true })
  for (const name of SERVERS) {
    writeFileSync(join(folder, `${name}.conf`), serverConf(folder, name, ports[name]))
    const ring = join(folder, `${name}.builder`)
    // It ends with 1 for a warning, as that one copy is few.
    for (const args of [
      ['create', '4', '1', '1'],
      ['add', `r1z1-127.0.0.1:${ports[name]}/sdb1`, '1'],
      ['rebalance'],
    ])
      spawnSync(PYTHON, [...RING_BUILDER, ring, ...args], { stdio: 'ignore' })
  }
  writeFileSync(join(folder, 'proxy.conf'), proxyConf(folder, address, port, memcached))
  let children: ChildProcess[] = []
  const spawned = (...command: string[]) => {
    children.push(run(command, { cwd: folder, stdio: 'ignore' }))
  }
  const clientOf = (bucket: string) =>
    new S3mini({
      ...{ accessKeyId: 'test:tester', secretAccessKey: 'testing', region: 'us-east-1' },
      endpoint: `http://${address}:${port}/${bucket}`,
    })
  const start = async () => {
    spawned('/usr/bin/memcached', '-l', '127.0.0.1', '-p', String(memcached), '-u', 'nobody')
    for (const name of [...SERVERS, 'proxy']) spawned(PYTHON, join(folder, 'run.py'), name)
    for (let tries = 0; tries < 100; tries++) {
      if (await isAnswering(`http://${address}:${port}/info`)) return
      await wait(200)
    }
    throw new Error('Swift did not start')
  }
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL')
    children = []
  }
  await start()
  return {
    url: (bucket, secret = 'testing') =>
      `s3://test%3Atester:${secret}@${address}:${port}/${bucket}?region=us-east-1&tls=off`,
    makeBucket: async (bucket) => {
      await clientOf(bucket).createBucket()
    },
    ...{ stop, start },
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

const RUN = `import sys, os
here = os.path.dirname(os.path.abspath(__file__))
import swift.common.utils as utils
utils.SWIFT_CONF_FILE = os.path.join(here, 'swift.conf')
utils.HASH_PATH_PREFIX = b'p'
utils.HASH_PATH_SUFFIX = b's'
from swift.common import storage_policy
storage_policy.reload_storage_policies()
from swift.common.wsgi import run_wsgi
name = sys.argv[1]
sys.exit(run_wsgi(os.path.join(here, name + '.conf'), name + '-server'))
`

const SWIFT_CONF = `[swift-hash]
swift_hash_path_prefix = p
swift_hash_path_suffix = s
[storage-policy:0]
name = gold
default = yes
`

const common = (folder: string, address: string, port: number): string => `[DEFAULT]
bind_ip = ${address}
bind_port = ${port}
workers = 0
user = root
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
log_address = /nonexistent
`

const serverConf = (folder: string, name: string, port: number): string =>
  `${common(folder, '127.0.0.1', port)}[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyConf = (folder: string, address: string, port: number, memcached: number): string =>
  `${common(folder, address, port)}[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Otherwise a server that was away is not asked for a minute.
error_suppression_interval = 1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
