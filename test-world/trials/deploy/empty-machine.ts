/** An empty Debian that boots with its own systemd, in a folder that is deleted at the end. It shares the network of this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ran, run } from '../peers/tools.ts'

/** Made once: a plain Debian with what every server has. */
const DEBIAN = '.build/debian'
const SUITE = 'bookworm'
const BOOTED_MS = 60_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export type Machine = {
  root: string
  /** A command of its root, by its shell. */
  run(command: string): Promise<Ran>
  close(): Promise<void>
}

/** The folder of a Debian that nobody has changed. @throws when it cannot be fetched */
export const emptyDebian = async (): Promise<string> => {
  if (existsSync(join(DEBIAN, 'etc/resolv.conf'))) return DEBIAN
  rmSync(DEBIAN, { recursive: true, force: true })
  mkdirSync(dirname(DEBIAN), { recursive: true })
  const packages = '--include=systemd,systemd-sysv,dbus,ca-certificates,procps'
  const made = await run('debootstrap', ['--variant=minbase', packages, SUITE, DEBIAN])
  if (made.code !== 0) throw new Error(`debootstrap: ${made.said.slice(-500)}`)
  // Where the packages come through a proxy with a root of its own, the machine trusts it as well.
  copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(DEBIAN, EXTRA_CA))
  copyFileSync('/etc/resolv.conf', join(DEBIAN, 'etc/resolv.conf'))
  return DEBIAN
}

const EXTRA_CA = 'etc/ssl/extra-ca.pem'
export const TRUST = `NODE_EXTRA_CA_CERTS=/${EXTRA_CA}`

/** @throws when it does not boot */
export const anEmptyMachine = async (): Promise<Machine> => {
  const folder = mkdtempSync('.build/machine-')
  const root = join(process.cwd(), folder, 'root')
  await run('cp', ['-a', '--reflink=auto', await emptyDebian(), root])
  const child = spawn('systemd-nspawn', ['-D', root, '--register=no', '--keep-unit', '--boot'], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const inside = async (command: string): Promise<Ran> => {
    const first = firstChildOf(child.pid ?? 0)
    if (first === null) return { code: 1, said: 'the machine does not run' }
    const where = ['-t', first, '-m', '-u', '-i', '-p', '-r', '-w']
    const own = ['env', '-i', `PATH=${PATH}`, 'HOME=/root', TRUST, 'sh', '-ec', command]
    return run('nsenter', [...where, ...own])
  }
  const close = async () => {
    // It lets the machine power off.
    child.kill('SIGTERM')
    const isOff = await Promise.race([ended.then(() => true), wait(20_000, false)])
    if (!isOff) child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (const giveUpAt = Date.now() + BOOTED_MS; ; await wait(200)) {
    const { said } = await inside('systemctl is-system-running || true')
    if (/^(running|degraded)$/m.test(said)) return { root, run: inside, close }
    if (child.exitCode === null && Date.now() < giveUpAt) continue
    await close()
    throw new Error(`the empty machine did not boot: ${said}`)
  }
}

const firstChildOf = (pid: number): string | null => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] || null
  } catch {
    return null
  }
}

/** Additions to the unit, as an operator writes them. */
export const writeDropIn = ({ root }: Machine, settings: Record<string, string>): void => {
  const folder = join(root, 'etc/systemd/system/mailstead.service.d')
  mkdirSync(folder, { recursive: true })
  const lines = Object.entries(settings).map(([name, value]) => `Environment=${name}=${value}\n`)
  writeFileSync(join(folder, 'trial.conf'), `[Service]\n${lines.join('')}`)
}
