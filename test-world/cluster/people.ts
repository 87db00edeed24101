/** People outside a cluster: other servers send to a mailbox, its holder reads it in a browser and in a program, and writes. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { newId } from '#server/lib/ids.ts'
import { ImapClient } from '../imap/imap-client.ts'
import { ELSEWHERE } from '../product.ts'
import { anSmtpClient, onTheWire } from '../smtp/smtp-client.ts'
import { endlessMails, type Mail } from '../trials/mails.ts'
import type { BrowserSession } from './browser-session.ts'
import { withPatience } from './services.ts'

/** A mail that comes in. Whoever hears no answer to it sends it again, and it may be there once more for each of those. */
export type Sent = { mail: Mail; isAcknowledged: boolean; lostAnswers: number }

type Attempt = () => Promise<void>

/** One mail after the other, each until it gets 250, over a new connection each time. */
export const anotherServer = (
  address: string,
  to: string,
  { sent, seed, faults }: { sent: Sent[]; seed: number; faults: string[] },
): Attempt => {
  const mails = endlessMails(to, seed)
  let current: Sent | null = null
  return async () => {
    if (current === null) {
      current = { mail: mails.next().value, isAcknowledged: false, lostAnswers: 0 }
      sent.push(current)
    }
    const reply = await deliver(address, to, current)
    if (!/^[24]/.test(reply)) faults.push(`'${current.mail.subject}' was answered ${reply}`)
    if (!reply.startsWith('250')) throw new Error(reply)
    current.isAcknowledged = true
    current = null
  }
}

const deliver = async (address: string, to: string, sent: Sent): Promise<string> => {
  const connecting = anSmtpClient(25, address)
  try {
    const client = await withPatience(connecting)
    const greeting = await withPatience(client.reply())
    if (!greeting.startsWith('220')) return greeting
    const from = '<grace@sender.example>'
    for (const line of ['EHLO sender.example', `MAIL FROM:${from}`, `RCPT TO:<${to}>`, 'DATA']) {
      const reply = await withPatience(client.say(line))
      if (!/^[23]/.test(reply)) return reply
    }
    client.write(onTheWire(sent.mail.raw))
    return await withPatience(client.reply()).catch((error: unknown) => {
      sent.lostAnswers += 1
      throw error
    })
  } finally {
    void connecting.then((client) => client.close()).catch(() => {})
  }
}

export type Browser = {
  url: string
  mailbox: Mailbox
  sessions: readonly BrowserSession[]
  faults: string[]
}

/** The newest mails, and the whole of the first one, with one session after the other. */
export const aReader = ({ url, mailbox, sessions, faults }: Browser): Attempt => {
  let turn = 0
  return async () => {
    const token = (await sessions[turn++ % sessions.length]?.token()) ?? ''
    const ask = async (path: string) => {
      const answer = await request(`${url}/api/v1/mailboxes/${mailbox._id}/messages${path}`, token)
      if (answer.status === 401) faults.push(`a session was lost: 401 for ${path}`)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      return text
    }
    const { items } = JSON.parse(await ask('?folder=inbox&limit=10'))
    if (items.length > 0) await ask(`/${items[0]._id}/raw`)
  }
}

/** A connection that lasts, in which the newest mail is read. */
export const aMailProgram = (address: string, email: string, password: string): Attempt => {
  let client: ImapClient | null = null
  const open = async (): Promise<ImapClient> => {
    const opened = await ImapClient.connect(993, { host: address })
    try {
      await withPatience(opened.until('* OK'))
      const { ending } = await withPatience(opened.run(`LOGIN ${email} ${password}`))
      if (!ending.startsWith('OK')) throw new Error(`LOGIN: ${ending}`)
      await withPatience(opened.ok('SELECT INBOX'))
      return opened
    } catch (error) {
      opened.close()
      throw error
    }
  }
  return async () => {
    client ??= await open()
    try {
      await withPatience(client.ok('NOOP'))
      const lines = await withPatience(client.ok('FETCH * (BODY.PEEK[]<0.200>)'))
      if (!lines.some((line) => line.includes('BODY[]'))) throw new Error('there was no mail')
    } catch (error) {
      client.close()
      client = null
      throw error
    }
  }
}

/** One letter after the other, each until it is accepted, which is once for each key. */
export const aWriter = (
  { url, mailbox, sessions, faults }: Browser,
  accepted: string[],
): Attempt => {
  let number = 0
  const letterTo = (to: string) => ({
    ...{ to: [to], subject: `To ${to}`, html: '<p>Once, and only once.</p>', uploads: [] },
    ...{ draft: newId(), writer: newId(), save: 1, key: newId() },
  })
  let letter = letterTo(`friend0@${ELSEWHERE}`)
  return async () => {
    const path = `${url}/api/v1/mailboxes/${mailbox._id}/sends`
    const token = (await sessions[0]?.token()) ?? ''
    const answer = await request(path, token, letter)
    const text = await answer.text()
    if (answer.status === 401) faults.push('a session was lost: 401 for a letter')
    if (!answer.ok) throw new Error(`${answer.status} ${text}`)
    accepted.push(...letter.to)
    letter = letterTo(`friend${++number}@${ELSEWHERE}`)
  }
}

const request = (path: string, token: string, body?: object) =>
  fetch(path, {
    signal: AbortSignal.timeout(5_000),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
