/**
 * PostgreSQL gets into trouble while mail arrives: the process survives, every mail with a 250 is stored once, and service is
 * soon normal.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '../product.ts'
import { anSmtpClient, onTheWire } from '../smtp/smtp-client.ts'
import type { Account } from './account.ts'
import { faultsOf, keptMails } from './incoming-kill.ts'
import { endlessMails, type Mail } from './mails.ts'

/** `end` returns when the trouble is over; PostgreSQL may still be recovering. */
export type Trouble = { name: string; strike: () => Promise<void>; end?: () => Promise<void> }

export type TroubleTrial = {
  name: string
  acknowledged: number
  putOff: number
  /** From the end of the trouble until PostgreSQL answers a new connection. */
  recoveryMs: number
  /** From then until mail gets 250 and /healthz answers 200. */
  normalMs: number
  faults: string[]
}

const CONNECTIONS = 4
const LONGEST_MS = 60_000
const SETTLE_MS = 50

/** Sends load before, during and after the trouble. The mailbox must be empty. */
export const sendThrough = async (
  product: Pick<Product, 'url' | 'smtpPort'>,
  account: Account,
  mailbox: Mailbox,
  { trouble, isAnswering }: { trouble: Trouble; isAnswering: () => Promise<boolean> },
  seed: number,
): Promise<TroubleTrial> => {
  const mails = endlessMails(mailbox.email, seed)
  const begun = new Set<Mail>()
  const acknowledged = new Set<Mail>()
  const faults: string[] = []
  let isOver = false
  const load = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      const sent = sendOn(product.smtpPort, mailbox.email, mails, begun, acknowledged, () => isOver)
      await sent.catch((error: unknown) => {
        if (!/the connection ended|ECONN/.test(String(error))) faults.push(String(error))
      })
      await wait(SETTLE_MS)
    }
  })
  await until(() => acknowledged.size >= CONNECTIONS)
  await trouble.strike()
  await trouble.end?.()
  const endedAt = performance.now()
  await until(isAnswering)
  const returnedAt = performance.now()
  const before = acknowledged.size
  await until(
    async () => acknowledged.size > before + CONNECTIONS && (await isHealthy(product.url)),
  )
  const normalMs = Math.round(performance.now() - returnedAt)
  isOver = true
  await Promise.all(load)
  const kept = await keptMails(account, mailbox)
  return {
    name: trouble.name,
    acknowledged: acknowledged.size,
    putOff: begun.size - acknowledged.size,
    recoveryMs: Math.round(returnedAt - endedAt),
    normalMs,
    faults: [...faults, ...faultsOf(begun, acknowledged, kept)],
  }
}

/** Without a database: 503 over HTTP, 451 for mail. */
export const putsOff = async ({ url, smtpPort }: Pick<Product, 'url' | 'smtpPort'>, to: string) => {
  await until(async () => (await fetch(`${url}/healthz`)).status === 503)
  const client = await anSmtpClient(smtpPort)
  try {
    await client.reply()
    await client.say('EHLO sender.example')
    await client.say('MAIL FROM:<grace@sender.example>')
    const reply = await client.say(`RCPT TO:<${to}>`)
    if (!reply.startsWith('451 ')) throw new Error(`without a database it was answered ${reply}`)
  } finally {
    client.close()
  }
}

export const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok
  } catch {
    return false
  }
}

const until = async (isIt: () => boolean | Promise<boolean>): Promise<void> => {
  const startedAt = performance.now()
  while (!(await isIt())) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('it never came')
    await wait(20)
  }
}

/** One connection that sends mail after mail; deferred mail is not sent again. */
const sendOn = async (
  port: number,
  to: string,
  mails: Iterator<Mail, never>,
  begun: Set<Mail>,
  acknowledged: Set<Mail>,
  isOver: () => boolean,
): Promise<void> => {
  const client = await anSmtpClient(port)
  try {
    await client.reply()
    await client.say('EHLO sender.example')
    while (!isOver()) {
      const mail = mails.next().value
      const reply = await sendOne(client, to, mail, begun)
      if (reply.startsWith('250')) acknowledged.add(mail)
      else if (!/^4(51|52|21)/.test(reply)) throw new Error(`a mail was answered ${reply}`)
      if (!reply.startsWith('250')) {
        await client.say('RSET')
        await wait(SETTLE_MS)
      }
    }
  } finally {
    client.close()
  }
}

const sendOne = async (
  client: Awaited<ReturnType<typeof anSmtpClient>>,
  to: string,
  mail: Mail,
  begun: Set<Mail>,
): Promise<string> => {
  for (const line of ['MAIL FROM:<grace@sender.example>', `RCPT TO:<${to}>`, 'DATA']) {
    const reply = await client.say(line)
    if (!/^[23]/.test(reply)) return reply
  }
  begun.add(mail)
  client.write(onTheWire(mail.raw))
  return client.reply()
}
