/** Runs the commands of install.md, 'In a container', in podman: no root, no right, no file that can be changed but the volume. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ran, run } from '../peers/tools.ts'
import { emptyDebian, TRUST } from './empty-machine.ts'
import { commandsOf } from './page-commands.ts'
import type { Releases } from './releases.ts'

/** What the Containerfile names, made from Debian here. */
const BASE = 'localhost/node:24-trixie-slim'
const READY_MS = 60_000

export type ContainerTrial = { imageMb: number; faults: string[] }

export const tryContainer = async (releases: Releases): Promise<ContainerTrial> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-podman-'))
  const settings = podmanSettings(folder)
  const inFolder = (command: string): Promise<Ran> =>
    run('sh', ['-ec', `${settings}\ncd ${releases.folder}\n${command}`])
  try {
    await makeBase(folder, inFolder)
    return await steps(inFolder)
  } finally {
    await inFolder('podman rm --force --all; podman rmi --force --all')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Apart from the podman of this machine, and with what a machine inside another one allows. */
const podmanSettings = (folder: string): string => {
  writeFileSync(
    join(folder, 'storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`,
  )
  writeFileSync(
    join(folder, 'containers.conf'),
    '[containers]\nnetns = "none"\nlog_driver = "k8s-file"\n' +
      'default_ulimits = ["nofile=16384:16384", "nproc=10000:10000"]\n' +
      '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\n',
  )
  return [
    'export BUILDAH_ISOLATION=chroot',
    `export CONTAINERS_STORAGE_CONF=${folder}/storage.conf CONTAINERS_CONF=${folder}/containers.conf`,
  ].join('\n')
}

const makeBase = async (
  folder: string,
  inFolder: (command: string) => Promise<Ran>,
): Promise<void> => {
  const root = join(folder, 'base')
  mkdirSync(root)
  const { code, said } = await inFolder(
    `cp -a ${join(process.cwd(), await emptyDebian())}/. ${root}
    chroot ${root} apt-get update -qq
    chroot ${root} apt-get install -y -qq --no-install-recommends nodejs npm
    tar -C ${root} --exclude=./dev/* --exclude=./var/cache/apt/* -cf ${folder}/base.tar .
    podman import --change 'ENV ${TRUST}' ${folder}/base.tar ${BASE}
    rm -rf ${root} ${folder}/base.tar`,
  )
  if (code !== 0) throw new Error(`the image under ours was not made: ${said.slice(-800)}`)
}

const steps = async (inFolder: (command: string) => Promise<Ran>): Promise<ContainerTrial> => {
  const faults: string[] = []
  const inside = (command: string) => inFolder(`podman exec mailstead ${command}`)
  const [block = ''] = commandsOf('install', 'In a container')
  const [build = '', start = '', link = ''] = block.split(/^(?=podman )/m)
  const built = await inFolder(build)
  if (built.code !== 0) throw new Error(built.said.slice(-800))
  const begun = await inFolder(start)
  if (begun.code !== 0) throw new Error(begun.said)
  const look = `node -e "fetch('http://127.0.0.1:8080/healthz').then((a) => process.exit(a.ok ? 0 : 1))"`
  for (const giveUpAt = Date.now() + READY_MS; (await inside(look)).code !== 0; await wait(500))
    if (Date.now() > giveUpAt)
      throw new Error(`not ready: ${(await inFolder('podman logs mailstead')).said}`)
  const { said: log } = await inFolder('podman logs mailstead')
  if (!/Mail is accepted at \*:25$/m.test(log)) faults.push(`it said: ${log}`)
  const linked = await inFolder(link)
  if (!linked.said.includes('https://mail.example.com/operator/first?token='))
    faults.push(`the operator's tool said: ${linked.said}`)
  if ((await inside('id -u')).said === '0') faults.push('it runs as root')
  for (const place of ['/opt/mailstead', '/etc', '/var/lib'])
    if ((await inside(`touch ${place}/here`)).code === 0) faults.push(`${place} can be changed`)
  const { said: rights } = await inside('grep CapEff /proc/1/status')
  if (!/\t0{16}$/.test(rights)) faults.push(`its rights are ${rights}`)
  const { said: size } = await inFolder(`podman image inspect --format '{{.Size}}' mailstead`)
  const { said: baseSize } = await inFolder(`podman image inspect --format '{{.Size}}' ${BASE}`)
  await inFolder('podman stop mailstead')
  const { said: code } = await inFolder(`podman inspect --format '{{.State.ExitCode}}' mailstead`)
  if (code !== '0') faults.push(`it ended with ${code}`)
  return { imageMb: Math.round((Number(size) - Number(baseSize)) / 1e6), faults }
}
