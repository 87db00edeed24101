/** One sender must not hold every place: idle connections are cheap to make, and 5 minutes long. */
import type { SMTPServerOptions } from 'smtp-server'
import { networkOf } from '#server/features/auth/throttle.ts'

/** As Postfix has it. */
const MAX_PER_NETWORK = 50

/** Refuses with 421 what comes from a network (IPv6: /64) that has its share of connections. */
export const fairShare = (): Required<Pick<SMTPServerOptions, 'onConnect' | 'onClose'>> => {
  const networks = new Map<string, string>()
  const taken = new Map<string, number>()
  return {
    onConnect: ({ id, remoteAddress }, done) => {
      const network = networkOf(remoteAddress)
      const others = taken.get(network) ?? 0
      networks.set(id, network)
      taken.set(network, others + 1)
      if (others < MAX_PER_NETWORK) return done()
      done(
        Object.assign(new Error('Too many connections from your network'), { responseCode: 421 }),
      )
    },
    onClose: ({ id }) => {
      const network = networks.get(id)
      if (network === undefined || !networks.delete(id)) return
      const others = (taken.get(network) ?? 1) - 1
      if (others === 0) taken.delete(network)
      else taken.set(network, others)
    },
  }
}
