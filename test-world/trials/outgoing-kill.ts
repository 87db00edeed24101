/** Kills everything while mail is sent: afterwards the peer has every mail once. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { ELSEWHERE, type Product } from '../product.ts'
import type { PeerStage } from '../smtp/smtp-peer.ts'
import type { Account } from './account.ts'
import { chanceOf } from './seeded.ts'

/** Simultaneous deliveries to one domain. */
const AT_ONCE = 5

/** Every delivery passes each stage once. A peer that stalls at the final dot has not accepted the mail. */
const stages = ['connect', 'ehlo', 'mail', 'rcpt', 'data', 'dot'] as const

export type OutgoingTrial = {
  stage: PeerStage
  deliveredBefore: number
  restartMs: number
  faults: string[]
}

/**
 * `seed` chooses how many mails are delivered before the kill, and the stage at which all others stall. A delivery is replaced by
 * the next only when the ledger has it, so a delivered mail is never sent again.
 */
export const killWhileSending = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
  { seed, count }: { seed: number; count: number },
): Promise<OutgoingTrial> => {
  const { peer } = product
  const chance = chanceOf(seed)
  const stage = chance.oneOf(stages)
  const wanted = chance.between(1, count - AT_ONCE)
  const recipients = Array.from({ length: count }, (_, n) => `person${n}-${seed}@${ELSEWHERE}`)
  const before = peer.messages.length
  const hanging = Promise.withResolvers<void>()
  // A failed RSET prevents reuse: otherwise only some mails would need a new connection.
  const isKept = stage !== 'connect' && stage !== 'ehlo'
  let met = 0
  peer.behave = (at) => {
    if (at === 'rset' && !isKept) return 'cut'
    if (at !== stage) return undefined
    met += 1
    if (met <= wanted) return undefined
    if (met === wanted + AT_ONCE) hanging.resolve()
    return 'stall'
  }
  for (const to of recipients)
    await account.ask('POST', `/mailboxes/${mailbox._id}/messages`, {
      ...{ to: [to], subject: `To ${to}`, text: 'Once, and only once.' },
    })
  await hanging.promise
  const deliveredBefore = peer.messages.length - before
  await product.kill()
  peer.behave = () => undefined
  const startedAt = performance.now()
  await product.start()
  const restartMs = performance.now() - startedAt
  await account.logIn()
  // Other mails come to this server as well: its people are told of sign-ins.
  const arrivals = () => peer.messages.slice(before).flatMap(({ to }) => to)
  while (recipients.some((to) => !arrivals().includes(to)))
    await peer.arrived(peer.messages.length + 1)
  const arrived = arrivals()
  return {
    stage,
    deliveredBefore,
    restartMs,
    faults: recipients.flatMap((to) => {
      const times = arrived.filter((each) => each === to).length
      return times === 1 ? [] : [`the mail to ${to} came ${times} times`]
    }),
  }
}
