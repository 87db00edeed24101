import { setTimeout as wait } from 'node:timers/promises'
import { startPostfixDovecot } from '../postfix-dovecot/start.ts'
import type { Bench, Measured } from '../row.ts'
import { boxes, withBusyDomain } from '../smtp/busy-domain.ts'
import { sendMails } from '../smtp/send-mails.ts'

const MESSAGES = 4_000
const WARM_UP = 400
const MAILBOXES = 20

/** 10 kB messages to mailboxes; each 250 means that blob and row are durable, so the mail is in the mailbox. */
export const smtpAccept: Bench = {
  name: 'SMTP accept',
  run: async () => [await acceptHere(), await acceptAtPostfix()],
}

const acceptHere = (): Promise<Measured> =>
  withBusyDomain(MAILBOXES, async ({ smtpPort }) => {
    await sendMails(smtpPort, boxes(MAILBOXES), WARM_UP)
    const startedAt = performance.now()
    await sendMails(smtpPort, boxes(MAILBOXES), MESSAGES)
    return {
      ...{ what: 'accept 10 kB messages over SMTP, durable', budget: 500 },
      ...{ value: MESSAGES / secondsSince(startedAt), unit: 'messages/s' },
    }
  })

/** Postfix answers when the mail is in its queue; it counts when Dovecot has it in the mailbox. */
const acceptAtPostfix = async (): Promise<Measured> => {
  const row = { what: '  Postfix + Dovecot here, to the mailbox', unit: 'messages/s' } as const
  const peers = await startPostfixDovecot()
  if (peers === null) return { ...row, value: null, budget: null }
  const send = async (count: number) => {
    const wanted = peers.delivered() + count
    await sendMails(peers.port, boxes(MAILBOXES), count)
    while (peers.delivered() < wanted) await wait(20)
  }
  try {
    await send(WARM_UP)
    const startedAt = performance.now()
    await send(MESSAGES)
    return { ...row, value: MESSAGES / secondsSince(startedAt), budget: null }
  } finally {
    await peers.stop()
  }
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
