/**
 * Sends a mail and follows it until every recipient's server took it or refused it for good.
 *
 *   MAILSTEAD_URL=https://mail.example.net MAILSTEAD_KEY=... node examples/send-and-follow.ts ada@customer.example grace@example.org
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from './client/client/index.ts'
import { getJourney, type Journey, listMailboxes, sendMessage } from './client/index.ts'
import { connect } from './connect.ts'

type Mail = { from: string; to: string[]; subject: string; text: string }

/** `say` gets each step once, in plain words. */
export const sendAndFollow = async (
  client: Client,
  { from, to, subject, text }: Mail,
  say: (step: string) => void = console.log,
): Promise<Journey['deliveries']> => {
  const strict = { client, throwOnError: true } as const
  const { data: found } = await listMailboxes({ ...strict, query: { q: from, readable: 'true' } })
  const mailbox = found.items.find(({ email }) => email === from)
  if (!mailbox) throw new Error(`${from} is no mailbox that you may read`)

  const path = { id: mailbox._id }
  const { data: sent } = await sendMessage({ ...strict, path, body: { to, subject, text } })
  const said = new Set<string>()
  for (;;) {
    const { data: journey } = await getJourney({
      ...strict,
      path: { ...path, messageId: sent._id },
    })
    for (const { recipient, steps } of journey.deliveries)
      for (const step of steps) {
        const sentence = `${recipient}: ${step.text}`
        if (!said.has(sentence + step.at)) say(sentence)
        said.add(sentence + step.at)
      }
    const isOver = journey.deliveries.every(
      ({ status }) => status === 'delivered' || status === 'failed',
    )
    if (isOver && journey.deliveries.length > 0) return journey.deliveries
    await wait(1_000)
  }
}

if (import.meta.main) {
  const [from = '', ...to] = process.argv.slice(2)
  await sendAndFollow(connect(), { from, to, subject: 'Hello', text: 'Sent by a program.' })
}
