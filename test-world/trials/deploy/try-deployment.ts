/**
 * A release as an operator gets it: as a service in an empty Debian, in a container, and behind proxies. Needs root, and Debian's
 * packages debootstrap, systemd-container, podman, buildah, runc, caddy and nginx.
 */

import { run } from '../peers/tools.ts'
import { tryWebProxies } from '../peers/web-proxies.ts'
import { makeReleases } from './releases.ts'
import { tryContainer } from './try-container.ts'
import { tryMachine } from './try-machine.ts'

const packages = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  podman: 'podman',
  buildah: 'buildah',
  runc: 'runc',
} as const

/** The headings whose commands these trials run. */
export const tried = {
  install: ['On a machine of its own', 'Change a setting', 'In a container'],
  upgrade: ['Upgrade', 'Keep a copy first', 'Go back'],
}

/** `awayMs`: the longest time without service in an upgrade; `exposure`: what systemd says of the unit, of 10. */
export type DeploymentTrial = {
  awayMs: number | null
  exposure: string | null
  imageMb: number | null
  proxies: string[]
  faults: string[]
}

/** Says what it found as it goes; a machine takes three minutes, and a container as long. */
export const tryDeployment = async (): Promise<DeploymentTrial> => {
  const proxies = await tryWebProxies()
  say(proxies)
  const faults = [...proxies.faults]
  const nothing = { awayMs: null, exposure: null, imageMb: null, proxies: proxies.passed }
  const missing = await whatIsMissing()
  if (missing !== null)
    return { ...nothing, faults: [...faults, `a release was not tried: ${missing}`] }
  const releases = await makeReleases()
  try {
    const machine = await tryMachine(releases).catch(failed)
    say(machine)
    const container = await tryContainer(releases).catch(failed)
    say(container)
    return {
      ...nothing,
      ...machine,
      ...container,
      faults: [faults, machine.faults, container.faults].flat(),
    }
  } finally {
    releases.close()
  }
}

const say = (found: object): void => console.log(`a release: ${JSON.stringify(found)}`)

const failed = (error: unknown) => ({ faults: [String(error)] })

const whatIsMissing = async (): Promise<string | null> => {
  if (process.getuid?.() !== 0) return 'it has to be run as root'
  const missing: string[] = []
  for (const [tool, from] of Object.entries(packages))
    if ((await run('sh', ['-c', `command -v ${tool}`])).code !== 0) missing.push(from)
  return missing.length === 0 ? null : `apt-get install ${missing.join(' ')}`
}
