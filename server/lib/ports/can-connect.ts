import { connect } from 'node:net'
import type { Dns } from '../dns/dns.ts'
import { guardedLookup } from '../network-guard.ts'

type Where = { dns: Dns; host: string; port: number; allowLoopbackPeers: boolean }

/** Whether a TCP connection to the host opens in time. A host that must not be dialled counts as one that does not answer. */
export const canConnect = (
  { dns, host, port, allowLoopbackPeers }: Where,
  limitMs: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const lookup = guardedLookup(dns, allowLoopbackPeers)
    const socket = connect({ host, port, lookup })
    const end = (isOpen: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isOpen)
    }
    const timer = setTimeout(() => end(false), limitMs)
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
