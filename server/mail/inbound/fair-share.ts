/** One sender must not hold every place: idle connections are cheap to make, and 5 minutes long. */
import type { SMTPServerOptions } from 'smtp-server'
import { networkOf } from '#server/features/auth/throttle.ts'

/** As Postfix has it. */
const MAX_PER_NETWORK = 50

/** Refuses with 421 what comes from a network (IPv6: /64) that has its share of connections. */
export const fairShare = (): Required<Pick<SMTPServerOptions, 'onConnect' | 'onClose'>> => {
  const networks = new Map<string, string>()
  return {
    onConnect: ({ id, remoteAddress }, done) => {
      const network = networkOf(remoteAddress)
      const others = [...networks.values()].filter((other) => other === network).length
      networks.set(id, network)
      if (others < MAX_PER_NETWORK) return done()
      done(
        Object.assign(new Error('Too many connections from your network'), { responseCode: 421 }),
      )
    },
    onClose: ({ id }) => void networks.delete(id),
  }
}
