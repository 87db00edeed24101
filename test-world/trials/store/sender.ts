/** Sends mail after mail over SMTP while the server is killed, and knows which of them got their 250. */
import { setTimeout as wait } from 'node:timers/promises'
import { anSmtpClient, onTheWire, type SmtpClient } from '../../smtp/smtp-client.ts'
import type { Mail } from '../mails.ts'

export type Sender = {
  /** Those whose bytes were sent, with or without an answer. */
  begun: Set<Mail>
  acknowledged: Set<Mail>
  /** Milliseconds from MAIL FROM to the 250 of each. */
  tookMs: number[]
  /** Answers that a server in trouble must not give. */
  faults: string[]
  stop(): Promise<void>
}

const CONNECTIONS = 6
const SETTLE_MS = 50

/** Connects anew when a connection ends. What got no 250 is not sent again, because it may be there. */
export const startSending = (port: () => number, to: string, mails: Iterator<Mail>): Sender => {
  const sender: Omit<Sender, 'stop'> = {
    ...{ begun: new Set(), acknowledged: new Set(), tookMs: [], faults: [] },
  }
  let isStopped = false
  const sendOn = async () => {
    const client = await anSmtpClient(port())
    try {
      await client.reply()
      await client.say('EHLO sender.example')
      while (!isStopped) {
        const { value, done } = mails.next()
        if (done) isStopped = true
        else await sendOne(client, to, value, sender)
      }
    } finally {
      client.close()
    }
  }
  const lines = Array.from({ length: CONNECTIONS }, async () => {
    while (!isStopped) {
      await sendOn().catch((error: unknown) => {
        if (!/the connection ended|ECONN/.test(String(error))) sender.faults.push(String(error))
      })
      if (!isStopped) await wait(SETTLE_MS)
    }
  })
  return {
    ...sender,
    stop: async () => {
      isStopped = true
      await Promise.all(lines)
    },
  }
}

const sendOne = async (
  client: SmtpClient,
  to: string,
  mail: Mail,
  { begun, acknowledged, tookMs, faults }: Omit<Sender, 'stop'>,
): Promise<void> => {
  const startedAt = performance.now()
  for (const line of ['MAIL FROM:<grace@sender.example>', `RCPT TO:<${to}>`, 'DATA']) {
    const reply = await client.say(line)
    if (!/^[23]/.test(reply)) return putOff(client, reply, faults)
  }
  begun.add(mail)
  client.write(onTheWire(mail.raw))
  const reply = await client.reply()
  if (!reply.startsWith('250 ')) return putOff(client, reply, faults)
  acknowledged.add(mail)
  tookMs.push(performance.now() - startedAt)
}

const putOff = async (client: SmtpClient, reply: string, faults: string[]): Promise<void> => {
  if (!/^4(?:51|52|21) /.test(reply)) faults.push(`a mail was answered ${reply}`)
  await client.say('RSET')
  await wait(SETTLE_MS)
}
