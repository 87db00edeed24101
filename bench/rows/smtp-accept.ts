import { setTimeout as wait } from 'node:timers/promises'
import { processorMs } from '../memory.ts'
import { type PostfixDovecot, startPostfixDovecot } from '../postfix-dovecot/start.ts'
import type { Product } from '../product.ts'
import { type Bench, type Measured, median } from '../row.ts'
import { boxes, withBusyDomain } from '../smtp/busy-domain.ts'
import { sendMails } from '../smtp/send-mails.ts'

const ROUNDS = 5
/** About ten seconds of each. */
const MESSAGES = 4_000
const WARM_UP = 1_000
const MAILBOXES = 20

/** How one round went, until all of its mail is in the mailbox. */
type Round = { perSecond: number; processorMs: number }

/**
 * 10 kB messages to mailboxes; each 250 means that blob and row are durable, so the mail is in the mailbox and found by searches.
 * Postfix answers when the mail is in its queue; it counts when Dovecot has it in the mailbox. The two take turns, so that both meet the same machine.
 */
export const smtpAccept: Bench = {
  name: 'SMTP accept',
  run: async () => {
    const peers = await startPostfixDovecot()
    try {
      return await withBusyDomain(MAILBOXES, async (product) => {
        await roundHere(product, WARM_UP)
        if (peers) await roundAtPostfix(peers, WARM_UP)
        const here: Round[] = []
        const there: Round[] = []
        for (let n = 0; n < ROUNDS; n++) {
          here.push(await roundHere(product, MESSAGES))
          if (peers) there.push(await roundAtPostfix(peers, MESSAGES))
        }
        return rowsOf(here, there)
      })
    } finally {
      await peers?.stop()
    }
  },
}

const roundHere = (product: Product, count: number): Promise<Round> =>
  timed({
    ...{ count, send: () => sendMails(product.smtpPort, boxes(MAILBOXES), count) },
    settled: async () => {},
    processor: () => processorMs([product.pid], product.dataDir),
  })

const roundAtPostfix = (peers: PostfixDovecot, count: number): Promise<Round> => {
  const wanted = peers.delivered() + count
  return timed({
    ...{ count, send: () => sendMails(peers.port, boxes(MAILBOXES), count) },
    settled: async () => {
      while (peers.delivered() < wanted) await wait(20)
    },
    processor: () => processorMs(peers.pids, peers.folder),
  })
}

type Timed = {
  count: number
  send(): Promise<void>
  settled(): Promise<void>
  processor(): number
}

const timed = async ({ count, send, settled, processor }: Timed): Promise<Round> => {
  const startedAt = performance.now()
  const before = processor()
  await send()
  await settled()
  return {
    perSecond: (count / (performance.now() - startedAt)) * 1000,
    processorMs: (processor() - before) / count,
  }
}

const rowsOf = (here: readonly Round[], there: readonly Round[]): Measured[] => {
  const ofHere = (key: keyof Round) => median(here.map((round) => round[key]))
  const ofThere = (key: keyof Round) =>
    there.length === 0 ? null : median(there.map((round) => round[key]))
  const theirs = ofThere('perSecond')
  return [
    {
      ...{ what: 'accept 10 kB messages over SMTP, durable, for 10 s', unit: 'messages/s' },
      ...{ value: ofHere('perSecond'), budget: 600 },
    },
    {
      ...{ what: '  the slowest of these rounds', unit: 'messages/s' },
      ...{ value: Math.min(...here.map(({ perSecond }) => perSecond)), budget: 450 },
    },
    {
      ...{ what: '  processor time of a message', unit: 'ms' },
      ...{ value: ofHere('processorMs'), budget: 2.6 },
    },
    {
      ...{ what: '  Postfix + Dovecot here, to the mailbox', unit: 'messages/s' },
      ...{ value: theirs, budget: null },
    },
    {
      ...{ what: '  processor time of a message there', unit: 'ms' },
      ...{ value: ofThere('processorMs'), budget: null },
    },
    {
      ...{ what: '  as fast as they are', unit: 'times' },
      ...{ value: theirs === null ? null : ofHere('perSecond') / theirs, budget: 1.75 },
    },
  ]
}
