/** Hosts on one machine: network namespaces behind a bridge, each with an address of its own. Needs root and Linux. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const BRIDGE = 'mailstead-hosts'
const NET = '10.77.0'
/** Of the machine itself, where the trial stands: all hosts reach it, and it reaches them. */
export const OUTSIDE = `${NET}.1`

export type Host = {
  name: string
  address: string
  /** A command with this in front runs on the host. */
  within: string[]
  /** `user`: by its name; otherwise root. */
  run(command: string[], options?: SpawnOptions & { user?: string }): ChildProcess
  /** Every process there ends, as when the power fails. */
  die(): Promise<void>
  /** Every process there of this program, by its name. */
  kill(program: string): void
  /** Its cable is out, or in again. */
  unplug(): void
  plug(): void
}

export type Network<Name extends string> = {
  hosts: Record<Name, Host>
  /** Neither hears the other any more, and both hear all others. */
  cut(one: Host, other: Host): void
  mend(one: Host, other: Host): void
  close(): Promise<void>
}

export const openNetwork = async <Name extends string>(
  names: readonly Name[],
): Promise<Network<Name>> => {
  removeHosts()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  const hosts = names.map((name, at) => [name, aHost(name, at + 2)] as const)
  const onBoth = (verb: 'add' | 'del', one: Host, other: Host) => {
    for (const [from, to] of [[one, other] as const, [other, one] as const])
      inside(from.name, 'ip', 'route', verb, 'blackhole', `${to.address}/32`)
  }
  return {
    hosts: Object.fromEntries(hosts) as Record<Name, Host>,
    cut: (one, other) => onBoth('add', one, other),
    mend: (one, other) => onBoth('del', one, other),
    close: async () => {
      await Promise.all(hosts.map(([, host]) => host.die()))
      removeHosts()
    },
  }
}

const spaceOf = (name: string): string => `${BRIDGE}-${name}`

const aHost = (name: string, number: number): Host => {
  const space = spaceOf(name)
  const address = `${NET}.${number}`
  const [outer, inner] = [`mshost${number}`, `mseth${number}`]
  ip('netns', 'add', space)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space)
  ip('link', 'set', outer, 'master', BRIDGE, 'up')
  inside(name, 'ip', 'addr', 'add', `${address}/24`, 'dev', inner)
  for (const device of ['lo', inner]) inside(name, 'ip', 'link', 'set', device, 'up')
  const within = ['ip', 'netns', 'exec', space]
  return {
    ...{ name, address, within },
    run: (command, { user, ...options } = {}) => {
      const as = user === undefined ? [] : ['runuser', '-u', user, '--']
      const [first = '', ...args] = [...within, ...as, ...command]
      return spawn(first, args, { stdio: 'ignore', ...options })
    },
    die: async () => {
      // What is started while others end dies in the next round.
      for (let left = pidsIn(space); left.length > 0; left = pidsIn(space)) {
        for (const pid of left) kill(pid)
        await wait(10)
      }
    },
    kill: (program) => {
      for (const pid of pidsIn(space)) if (programOf(pid) === program) kill(pid)
    },
    unplug: () => ip('link', 'set', outer, 'down'),
    plug: () => ip('link', 'set', outer, 'up'),
  }
}

const pidsIn = (space: string): number[] =>
  spawnSync('ip', ['netns', 'pids', space], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map(Number)

const programOf = (pid: number): string | null => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return null
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const ip = (...args: string[]): void => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

const inside = (name: string, ...command: string[]): void =>
  ip('netns', 'exec', spaceOf(name), ...command)

/** With all that runs on them; of a trial that did not end well, too. */
export const removeHosts = (): void => {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' })
  for (const [space = ''] of stdout.matchAll(new RegExp(`^${BRIDGE}-\\S+`, 'gm'))) {
    for (const pid of pidsIn(space)) kill(pid)
    ip('netns', 'del', space)
  }
  // A space whose last process is still ending keeps its link for a moment.
  const links = spawnSync('ip', ['-o', 'link'], { encoding: 'utf8' })
  for (const [, link = ''] of links.stdout.matchAll(/: (mshost\d+)@/g))
    spawnSync('ip', ['link', 'del', link])
  spawnSync('ip', ['link', 'del', BRIDGE])
}
