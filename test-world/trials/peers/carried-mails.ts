/** The mails that programs carry: what they are, what the server says of them, and what a program kept. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImapClient } from '../../imap/imap-client.ts'
import { mailsWithFiles } from '../../real-mail/files.ts'
import { letters } from '../../real-mail/letters.ts'

/** Who signs in, and the folder on this machine that programs may use. */
export type At = { port: number; email: string; password: string; folder: string }

const SENT_AT_ONCE = 20

const kinds = [...mailsWithFiles, ...letters]

/** Of the mail that says this in `X-Number`, its first field. */
export const kindOf = (number: number) => kinds[number % kinds.length]

/** Mails of every kind, each one another. */
export const fill = async (client: ImapClient, count: number): Promise<void> => {
  for (let n = 0; n < count; n += SENT_AT_ONCE) {
    const tags: string[] = []
    for (let each = n; each < Math.min(count, n + SENT_AT_ONCE); each++) {
      const raw = Buffer.concat([
        Buffer.from(`X-Number: ${each}\r\n`),
        kindOf(each)?.raw ?? Buffer.alloc(0),
      ])
      tags.push(client.nextTag())
      client.send(`${tags.at(-1)} APPEND INBOX {${raw.length}+}\r\n`)
      client.send(Buffer.concat([raw, Buffer.from('\r\n')]))
    }
    for (const tag of tags) {
      const { ending } = await client.answerTo(tag)
      if (!ending.startsWith('OK')) throw new Error(`a mail was not appended: ${ending}`)
    }
  }
}

/** Sums of the mails in a folder, in order. */
export const toldByServer = async (
  client: ImapClient,
  mailbox: string,
  sum: Sum,
): Promise<string[]> => {
  await client.ok(`SELECT ${mailbox}`)
  const sums: string[] = []
  const tag = client.nextTag()
  client.send(`${tag} FETCH 1:* (FLAGS BODY.PEEK[])\r\n`)
  for (;;) {
    const line = await client.rawLine()
    if (line === null || line.subarray(0, tag.length).toString() === tag) break
    const start = line.indexOf('}\r\n') + 3
    sums.push(sum(line.subarray(start, -1), flagLetters(line.toString('latin1', 0, start))))
  }
  return sums.toSorted()
}

const flagLetters = (text: string): string => {
  const flags = /FLAGS \(([^)]*)\)/.exec(text)?.[1] ?? ''
  const letters = { '\\Flagged': 'F', '\\Answered': 'R', '\\Seen': 'S', '\\Draft': 'D' }
  return Object.entries(letters)
    .flatMap(([flag, letter]) => (flags.includes(flag) ? [letter] : []))
    .toSorted()
    .join('')
}

/** What has to be the same of a mail here and there. Programs keep lines as their system does, and may add fields of their own. */
export type Sum = (raw: Buffer, flags: string) => string

export const sumOfBytes: Sum = (raw) => createHash('sha256').update(plainText(raw)).digest('hex')
export const sumWithFlags: Sum = (raw, flags) => `${sumOfBytes(raw, '')} ${flags}`

export const plainText = (raw: Buffer): string =>
  raw
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(X-TUID|X-OfflineIMAP|X-getmail-retrieved-from-mailbox): .*\n/gm, '')

export const keptIn = (maildir: string, sum: Sum): string[] =>
  ['cur', 'new']
    .flatMap((part) =>
      readdirSync(join(maildir, part)).map((name) =>
        sum(readFileSync(join(maildir, part, name)), /:2,([A-Z]*)$/.exec(name)?.[1] ?? ''),
      ),
    )
    .toSorted()

export const differences = (
  what: string,
  ours: readonly string[],
  theirs: readonly string[],
): string[] => {
  const [here, there] = [new Set(ours), new Set(theirs)]
  const missing = ours.filter((each) => !there.has(each)).length
  const more = theirs.filter((each) => !here.has(each)).length
  return missing + more === 0 && ours.length === theirs.length
    ? []
    : [`${what}: ${missing} of ${ours.length} mails are not with the program, ${more} only there`]
}
