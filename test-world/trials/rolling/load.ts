/** Mail that comes and goes, pages and a mail program, all the time: what was answered, and how long nothing was. */
import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '#server/lib/ids.ts'
import { ImapClient } from '../../imap/imap-client.ts'
import { ELSEWHERE } from '../../product.ts'
import { sendMail } from '../../smtp/smtp-client.ts'
import type { Account } from '../account.ts'

export type Work = {
  name: string
  done: number
  /** Tries that were refused, or cut off. */
  failed: string[]
  /** From the first try that failed to the next success. */
  refusedMs: number
  /** Between two successes. */
  longestMs: number
  /** Those that took long, and what was going on. */
  slow: string[]
}

/** As people do: in a tight loop they would take the processors from what starts. */
const PAUSE_MS = 250
const SLOW_MS = 2_000

export type Doors = {
  account: Account
  mailbox: { _id: string; email: string }
  smtpPort: number
  imapsPort: number
  password: string
}

export type Load = {
  works: Work[]
  /** Subjects of the mails that got 250; those of mails whose answer was lost at least once. */
  acknowledged: Set<string>
  unsure: Set<string>
  /** Recipients of the mails that were taken to be sent. */
  sent: string[]
  /** For the report: what begins now. */
  note(what: string): void
  /** Until each work has been done this often more. */
  goesOn(times: number): Promise<void>
  end(): Promise<void>
}

export const startLoad = (doors: Doors): Load => {
  const [acknowledged, unsure, sent] = [new Set<string>(), new Set<string>(), [] as string[]]
  let isEnded = false
  let goesOn = 'the start'
  const works: Work[] = []
  const repeat = async (name: string, act: () => Promise<void>): Promise<void> => {
    const work: Work = { name, done: 0, failed: [], refusedMs: 0, longestMs: 0, slow: [] }
    works.push(work)
    let last = performance.now()
    let refusedAt: number | null = null
    while (!isEnded) {
      const triedAt = performance.now()
      try {
        await act()
        work.done += 1
        const tookMs = performance.now() - last
        work.longestMs = Math.max(work.longestMs, tookMs)
        if (tookMs > SLOW_MS) work.slow.push(`${(tookMs / 1000).toFixed(1)} s until ${goesOn}`)
        last = performance.now()
        if (refusedAt !== null) work.refusedMs = Math.max(work.refusedMs, last - refusedAt)
        refusedAt = null
      } catch (error) {
        refusedAt ??= triedAt
        work.failed.push(String(error))
      }
      await wait(PAUSE_MS)
    }
  }
  const running = [
    repeat('mail comes in', incoming(doors, acknowledged, unsure)),
    repeat('mail goes out', outgoing(doors, sent)),
    repeat('pages read', reading(doors)),
    repeat('a mail program reads', program(doors)),
  ]
  return {
    ...{ works, acknowledged, unsure, sent },
    note: (what) => {
      goesOn = what
    },
    goesOn: async (times) => {
      const before = works.map(({ done }) => done)
      while (works.some(({ done }, n) => done < (before[n] ?? 0) + times)) await wait(50)
    },
    end: async () => {
      isEnded = true
      await Promise.all(running)
    },
  }
}

/** Each mail until it has its 250, as other servers do. */
const incoming = ({ smtpPort, mailbox }: Doors, acknowledged: Set<string>, unsure: Set<string>) => {
  let n = 0
  return async () => {
    const subject = `In ${n}`
    const raw = `From: s@example.net\r\nSubject: ${subject}\r\nMessage-ID: <${n}@example.net>\r\n\r\nHello\r\n`
    const reply = await sendMail(smtpPort, { to: mailbox.email, raw }).catch((error: unknown) => {
      unsure.add(subject)
      throw error
    })
    if (!reply.startsWith('250')) throw new Error(reply)
    acknowledged.add(subject)
    n += 1
  }
}

/** Each under its key until it is taken. */
const outgoing = ({ account, mailbox }: Doors, sent: string[]) => {
  const letter = () => ({
    ...{ subject: 'Out', html: '<p>Hello</p>', to: [`out${sent.length}@${ELSEWHERE}`] },
    ...{ key: newId(), draft: newId(), writer: newId(), save: 1, uploads: [] },
  })
  let next = letter()
  return async () => {
    await account.ask('POST', `/mailboxes/${mailbox._id}/sends`, next)
    sent.push(...next.to)
    next = letter()
  }
}

const reading =
  ({ account, mailbox }: Doors) =>
  async () => {
    await account.ask('GET', `/mailboxes/${mailbox._id}/messages?folder=inbox`)
    await account.ask('GET', '/mailboxes')
  }

/** On one connection, as long as it lasts. */
const program = ({ imapsPort, mailbox, password }: Doors) => {
  let client: ImapClient | null = null
  const connected = async (): Promise<ImapClient> => {
    const made = await ImapClient.connect(imapsPort)
    await made.until('* OK')
    await made.ok(`LOGIN ${mailbox.email} ${password}`)
    await made.ok('SELECT INBOX')
    return made
  }
  return async () => {
    try {
      client ??= await connected()
      await client.ok('NOOP')
    } catch (error) {
      client?.close()
      client = null
      throw error
    }
  }
}
