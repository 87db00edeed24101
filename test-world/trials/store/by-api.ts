/** What a reader finds in a mailbox by the API: by its list, its search and its change log. */
import type { MailboxChanges } from '#contract/mail/changes.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { Account } from '../account.ts'
import type { Mail } from '../mails.ts'

const AT_ONCE = 8

/** The mails that a search for their two words does not find exactly once, a sentence each. */
export const notFound = async (
  account: Account,
  mailbox: Mailbox,
  mails: Iterable<Mail>,
): Promise<string[]> => {
  const wrong: string[] = []
  const waiting = [...mails].values()
  const search = async () => {
    for (const mail of waiting) {
      const q = encodeURIComponent(mail.words.join(' '))
      const { items } = await account.ask('GET', `/mailboxes/${mailbox._id}/search?q=${q}`)
      const found = items.map(({ subject }: MessageSummary) => subject)
      if (found.length !== 1 || found[0] !== mail.subject)
        wrong.push(`a search for '${mail.subject}' found ${JSON.stringify(found)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, search))
  return wrong
}

export type LogReader = {
  /** The subject of each message. */
  known: Map<string, string>
  /** Asks once. @returns whether there was more to tell */
  readOn(): Promise<boolean>
}

/** Knows the mailbox by what the log told since the reader last asked, from its beginning. */
export const aLogReader = (account: Account, mailbox: Mailbox): LogReader => {
  const known = new Map<string, string>()
  let since = 0
  let after: string | null = null
  return {
    known,
    readOn: async () => {
      const from: string = after === null ? '' : `&after=${after}`
      const path = `/mailboxes/${mailbox._id}/changes?since=${since}&limit=200${from}`
      const answer: MailboxChanges = await account.ask('GET', path)
      if (answer.isForgotten) throw new Error(`the log of modseq ${since} is forgotten`)
      if (answer.modseq < since) throw new Error(`modseq ${answer.modseq} came after ${since}`)
      for (const { _id, subject } of answer.changed) known.set(_id, subject)
      since = answer.modseq
      after = answer.after
      return after !== null
    },
  }
}

/** The mails that the log tells not once although they are there, or once although they are not. */
export const notTold = async (
  reader: LogReader,
  kept: ReadonlyMap<string, readonly Buffer[]>,
): Promise<string[]> => {
  while (await reader.readOn());
  const told = new Map<string, number>()
  for (const subject of reader.known.values()) told.set(subject, (told.get(subject) ?? 0) + 1)
  return [...new Set([...told.keys(), ...kept.keys()])].flatMap((subject) => {
    const [times, copies] = [told.get(subject) ?? 0, kept.get(subject)?.length ?? 0]
    return times === copies
      ? []
      : [`the log tells '${subject}' ${times} times, it is there ${copies} times`]
  })
}
