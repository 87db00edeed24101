/** The program's one way to DNS: DNS_SERVERS, and the name servers found through them. Nothing is kept between look-ups. */
import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import type { Dns, LookUpMemo, RecordType } from '../dns.ts'
import { isDialable } from '../network-guard.ts'
import { type Answered, askServers, followAliases } from './ask-servers.ts'
import type { DnsServerAddress } from './dns-exchange.ts'
import { findNameServers } from './name-servers.ts'
import { resolveWith } from './resolve-with.ts'

export type DnsSettings = {
  /** `ip` or `ip:port`; empty: the system's. The operator's choice, so they may be private addresses. */
  servers: readonly string[]
  /** The port dialled at name servers. */
  port: number
  allowLoopbackPeers: boolean
  timeoutMs?: number
}

/** A look-up gives up after this, whatever it consists of. */
const TIMEOUT_MS = 3000

export const openDns = (settings: DnsSettings): Dns => {
  const { port, allowLoopbackPeers, timeoutMs = TIMEOUT_MS } = settings
  const resolvers = () =>
    (settings.servers.length > 0 ? settings.servers : getServers()).flatMap(
      (text) => readServer(text) ?? [],
    )
  const askResolver = (name: string, type: RecordType, deadline: number) =>
    askServers(resolvers(), { name, type }, 'resolver', deadline)

  const lookUp = (name: string, type: RecordType): Promise<Answered> => {
    const deadline = Date.now() + timeoutMs
    return followAliases(name, type, (at) => askResolver(at, type, deadline))
  }

  const lookUpAtSource = (name: string, type: RecordType, memo: LookUpMemo = new Map()) => {
    const deadline = Date.now() + timeoutMs
    // The last third is the resolver's, for zones whose own servers do not answer us.
    const sourceDeadline = deadline - timeoutMs / 3
    return followAliases(name, type, async (at) => {
      const ips = await findNameServers(at, (n, t) => askResolver(n, t, sourceDeadline), memo)
      const servers = ips.filter((ip) => isDialable(ip, allowLoopbackPeers))
      if (servers.length > 0) {
        const asked = await askServers(
          servers.map((ip) => ({ ip, port })),
          { name: at, type },
          'authority',
          sourceDeadline,
        )
        if (asked.outcome === 'reply') return asked
      }
      return askResolver(at, type, deadline)
    })
  }

  return { lookUp, lookUpAtSource, resolve: resolveWith(lookUp) }
}

/** `ip`, `ip:port` or `[ip6]:port`. */
const readServer = (text: string): DnsServerAddress | null => {
  if (isIP(text) !== 0) return { ip: text, port: 53 }
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(text)
  const ip = parts?.[1] ?? parts?.[2] ?? ''
  return isIP(ip) === 0 ? null : { ip, port: Number(parts?.[3] ?? 53) }
}
