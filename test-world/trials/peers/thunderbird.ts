/**
 * Thunderbird sets itself up by a name, an address and a password, because the customer's domain says where its mail is, or because
 * its MX record leads to us. It works in a network namespace of its own, where our DNS server answers and the product has its usual
 * ports. Needs root and Debian's packages thunderbird, xvfb, xdotool, libnss3-tools, imagemagick and iproute2.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './tools.ts'

/** `steps`: what went well, in order. */
export type ThunderbirdTrial = { steps: string[]; faults: string[] }

const PICTURES = '.test/thunderbird'
const MOST_SECONDS = 280

const packages = {
  ...{ thunderbird: 'thunderbird', Xvfb: 'xvfb', xdotool: 'xdotool' },
  ...{ certutil: 'libnss3-tools', import: 'imagemagick', ip: 'iproute2' },
}

/** With loopback alone, Thunderbird takes itself to be offline. `$1`: the file of the name server. */
const NETWORK = `
  ip link set lo up
  ip link add out0 type veth peer name out1
  ip addr add 192.0.2.25/24 dev out0
  ip link set out0 up
  ip link set out1 up
  ip route add default via 192.0.2.1
  mount --bind "$1" /etc/resolv.conf
  shift
  exec "$@"`

export const tryThunderbird = async (): Promise<ThunderbirdTrial> => {
  const missing = await whatIsMissing()
  if (missing !== null) return { steps: [], faults: [`Thunderbird was not tried: ${missing}`] }
  rmSync(PICTURES, { recursive: true, force: true })
  mkdirSync(PICTURES, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-namespace-'))
  const resolver = join(folder, 'resolv.conf')
  writeFileSync(resolver, 'nameserver 127.0.0.1\n')
  // Whatever was started ends with unshare, which only SIGKILL ends.
  const alone = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const inside = [
    process.execPath,
    join(import.meta.dirname, 'thunderbird/day-in-thunderbird.ts'),
    PICTURES,
  ]
  const { code, said } = await run('timeout', [
    ...['--signal=KILL', String(MOST_SECONDS), 'unshare', ...alone],
    ...['sh', '-ec', NETWORK, 'sh', resolver, ...inside],
  ])
  rmSync(folder, { recursive: true })
  const [last = ''] = said.split('\n').filter((line) => line.startsWith('{"steps"'))
  return code === 0 && last !== ''
    ? JSON.parse(last)
    : { steps: [], faults: [`the trial of Thunderbird ended with ${code}: ${said.slice(-500)}`] }
}

const whatIsMissing = async (): Promise<string | null> => {
  const missing: string[] = []
  for (const [program, name] of Object.entries(packages))
    if ((await run('sh', ['-c', `command -v ${program}`])).code !== 0) missing.push(name)
  if (missing.length > 0) return `apt-get install ${missing.join(' ')}`
  return process.getuid?.() === 0 ? null : 'it has to be run as root'
}
