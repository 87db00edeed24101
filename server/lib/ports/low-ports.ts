import { readFileSync } from 'node:fs'

const CAP_NET_BIND_SERVICE = 10n
const LOWEST = 25

/**
 * Whether this process may open ports below 1024, from 25 on: as root, by a capability, as systemd gives it to a service, or
 * because everybody may, as in a container. Outside Linux only root may.
 */
export const mayOpenLowPorts = (): boolean =>
  process.getuid?.() === 0 ||
  hasCapability(textOf('/proc/self/status')) ||
  isOpenToAll(textOf('/proc/sys/net/ipv4/ip_unprivileged_port_start'))

/** @param status the text of /proc/PID/status */
export const hasCapability = (status: string): boolean => {
  const [, bits = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(status) ?? []
  return ((BigInt(`0x${bits}`) >> CAP_NET_BIND_SERVICE) & 1n) === 1n
}

/** @param firstPort the text of that file: the first port that needs no right */
export const isOpenToAll = (firstPort: string): boolean =>
  /^\d+\s*$/.test(firstPort) && Number(firstPort) <= LOWEST

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
