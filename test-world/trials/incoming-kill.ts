/** Kills everything while mail arrives: every mail with a 250 must be stored afterwards, once, byte for byte. */
import type { Mailbox } from '#contract/mailboxes.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { Product } from '../product.ts'
import { anSmtpClient, onTheWire } from '../smtp/smtp-client.ts'
import type { Account } from './account.ts'
import { type Mail, mailsFor } from './mails.ts'
import { chanceOf } from './seeded.ts'

const CONNECTIONS = 8
const LONGEST_DELAY_MS = 10

export type IncomingTrial = {
  acknowledged: number
  /** Started, but not answered at the kill. */
  inFlight: number
  /** Those among them that are stored. */
  inFlightKept: number
  restartMs: number
  /** One sentence per fault; empty when all is well. */
  faults: string[]
}

/** `seed` chooses the moment of the kill. The mailbox must be empty. */
export const killWhileReceiving = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
  { seed, count }: { seed: number; count: number },
): Promise<IncomingTrial> => {
  const mails = mailsFor(mailbox.email, count, seed)
  const chance = chanceOf(seed)
  const killAfter = chance.between(1, Math.floor(count * 0.9))
  const delayMs = chance.between(0, LONGEST_DELAY_MS)
  const killed = Promise.withResolvers<void>()
  const begun = new Set<Mail>()
  const acknowledged = new Set<Mail>()
  const acknowledge = (mail: Mail) => {
    acknowledged.add(mail)
    if (acknowledged.size !== killAfter) return
    setTimeout(() => void product.kill().then(killed.resolve, killed.reject), delayMs)
  }
  const waiting = mails.values()
  const send = () => sendUntilKilled(product.smtpPort, mailbox.email, waiting, begun, acknowledge)
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  await killed.promise

  const startedAt = performance.now()
  await product.start()
  const restartMs = performance.now() - startedAt
  await account.logIn()
  const kept = await keptMails(account, mailbox)
  const inFlight = [...begun].filter((mail) => !acknowledged.has(mail))
  return {
    acknowledged: acknowledged.size,
    inFlight: inFlight.length,
    inFlightKept: inFlight.filter(({ subject }) => kept.has(subject)).length,
    restartMs,
    faults: faultsOf(begun, acknowledged, kept),
  }
}

/** One connection that sends mail after mail, until there is none or the server is dead. */
const sendUntilKilled = async (
  port: number,
  to: string,
  mails: Iterator<Mail>,
  begun: Set<Mail>,
  acknowledge: (mail: Mail) => void,
): Promise<void> => {
  const client = await anSmtpClient(port)
  try {
    await client.reply()
    await client.say('EHLO sender.example')
    for (let next = mails.next(); !next.done; next = mails.next()) {
      const mail = next.value
      begun.add(mail)
      for (const line of ['MAIL FROM:<grace@sender.example>', `RCPT TO:<${to}>`, 'DATA']) {
        const reply = await client.say(line)
        if (!/^[23]/.test(reply)) throw new Error(`${line} was answered ${reply}`)
      }
      client.write(onTheWire(mail.raw))
      const reply = await client.reply()
      if (!reply.startsWith('250 ')) throw new Error(`the final dot was answered ${reply}`)
      acknowledge(mail)
    }
  } catch (error) {
    if (!String(error).includes('the connection ended')) throw error
  } finally {
    client.close()
  }
}

/** The raw bytes of every message in the Inbox, by subject. */
export const keptMails = async (
  account: Pick<Account, 'ask' | 'bytes'>,
  mailbox: Mailbox,
): Promise<Map<string, Buffer[]>> => {
  const messages: MessageSummary[] = []
  const folder = `/mailboxes/${mailbox._id}/messages`
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await account.ask('GET', `${folder}?folder=inbox&limit=200${from}`)
    messages.push(...page.items)
    cursor = page.nextCursor
  }
  const kept = new Map<string, Buffer[]>()
  const waiting = messages.values()
  const read = async () => {
    for (const { _id, subject } of waiting) {
      const raw = await account.bytes(`${folder}/${_id}/raw`)
      kept.set(subject, [...(kept.get(subject) ?? []), raw])
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, read))
  return kept
}

export const faultsOf = (
  begun: Set<Mail>,
  acknowledged: Set<Mail>,
  kept: Map<string, Buffer[]>,
): string[] => {
  const known = new Set([...begun].map(({ subject }) => subject))
  const strange = [...kept.keys()].filter((subject) => !known.has(subject))
  return [
    ...strange.map((subject) => `'${subject}' was never sent`),
    ...[...begun].flatMap((mail) => {
      const copies = kept.get(mail.subject) ?? []
      if (copies.length > 1) return [`'${mail.subject}' is there ${copies.length} times`]
      if (copies.length === 0)
        return acknowledged.has(mail) ? [`'${mail.subject}' got 250 and is lost`] : []
      return copies.every((raw) => isAsSent(raw, mail.raw))
        ? []
        : [`'${mail.subject}' is not as it was sent`]
    }),
  ]
}

/** Whether the stored bytes are the sent ones with only whole header fields in front. */
export const isAsSent = (kept: Buffer, sent: Buffer): boolean => {
  const added = kept.length - sent.length
  const trace = kept.toString('latin1', 0, Math.max(0, added))
  return (
    added > 0 &&
    kept.subarray(added).equals(sent) &&
    /^(?:[\w-]+:[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*)+$/.test(trace)
  )
}
