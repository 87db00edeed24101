/** getmail and fetchmail fetch a folder: all of it once, nothing of it twice, and it is empty when they are told to delete. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImapClient } from '../../imap/imap-client.ts'
import { MAIL_HOST } from '../../product.ts'
import {
  type At,
  differences,
  keptIn,
  kindOf,
  plainText,
  type Sum,
  sumOfBytes,
  toldByServer,
} from './carried-mails.ts'
import { type Ran, run } from './tools.ts'

/** `keep`: a command that keeps what it reads as a file in the folder that it is told. */
type Way = { mailbox: string; keep: string; into: string; isDeleting: boolean }
type Fetcher = {
  name: string
  fetch(at: At, way: Way): Promise<Ran>
  /** Kinds of mail that it writes anew. */
  rewritten: readonly string[]
}

/** getmail starts a process for each. */
const FETCHED_AT_MOST = 1_000

/** getmail waits for minutes when its child has ended before it began to wait, so this one sees that it sleeps. */
const KEEP = `#!/bin/sh
cat > "$(mktemp -p "$1")"
until grep -q '^State:.S' /proc/$PPID/status; do :; done
`

export const tryFetchPrograms = async (at: At, client: ImapClient): Promise<string[]> => [
  ...(await tryFetching(getmail, at, client)),
  ...(await tryFetching(fetchmail, at, client)),
]

const tryFetching = async (
  { name, fetch, rewritten }: Fetcher,
  at: At,
  client: ImapClient,
): Promise<string[]> => {
  const keep = join(at.folder, 'keep')
  writeFileSync(keep, KEEP, { mode: 0o700 })
  const sum = sumBesides(rewritten)
  const mailbox = `For-${name}`
  await client.ok(`CREATE ${mailbox}`)
  await client.ok('SELECT INBOX')
  await client.ok(`SEARCH RETURN (SAVE) 1:${FETCHED_AT_MOST} HEADER X-Number ""`)
  await client.ok(`COPY $ ${mailbox}`)
  await client.ok(`SELECT ${mailbox}`)
  await client.ok('STORE 1:* -FLAGS.SILENT (\\Seen)')
  const there = await toldByServer(client, mailbox, sum)
  const faults: string[] = []
  const step = async (what: string, into: string, isDeleting: boolean): Promise<void> => {
    const maildir = join(at.folder, `${name}-${into}`)
    for (const part of ['cur', 'new']) mkdirSync(join(maildir, part), { recursive: true })
    const way = { mailbox, keep, into: join(maildir, 'new'), isDeleting }
    const { code, said } = await fetch(at, way)
    if (code !== 0) faults.push(`${name} ended with ${code}, ${what}: ${said.slice(-300)}`)
    faults.push(...differences(`${name}, ${what}`, there, keptIn(maildir, sum)))
  }
  await step('the first time', 'kept', false)
  await step('the second time', 'kept', false)
  faults.push(
    ...differences(`the server, after ${name}`, there, await toldByServer(client, mailbox, sum)),
  )
  await step('deleting', 'deleted', true)
  const left = await client.ok(`STATUS ${mailbox} (MESSAGES)`)
  if (!/MESSAGES 0\b/.test(left.join())) faults.push(`${name} did not delete: ${left.join()}`)
  return faults
}

/** Of what follows the fields that a program puts in front. */
const sumBesides =
  (rewritten: readonly string[]): Sum =>
  (raw, flags) => {
    const text = plainText(raw)
    const mail = text.slice(text.indexOf('X-Number: '))
    const number = Number(/^X-Number: (\d+)/.exec(mail)?.[1])
    return rewritten.includes(kindOf(number)?.name ?? '')
      ? `number ${number}`
      : sumOfBytes(Buffer.from(mail, 'latin1'), flags)
  }

/** Knows what it has by the UIDs, and keeps these in `--getmaildir`. */
const getmail: Fetcher = {
  name: 'getmail',
  fetch: ({ port, email, password, folder }, { mailbox, keep, into, isDeleting }) => {
    const home = join(folder, 'getmail')
    mkdirSync(home, { recursive: true })
    const rc = join(home, 'getmailrc')
    writeFileSync(
      rc,
      `[retriever]\ntype = SimpleIMAPSSLRetriever\nserver = 127.0.0.1\nport = ${port}\nusername = ${email}\npassword = ${password}\n` +
        `mailboxes = ("${mailbox}",)\nca_certs = ${folder}/cert.pem\nssl_cert_hostname = ${MAIL_HOST}\n` +
        `[destination]\ntype = MDA_external\npath = ${keep}\narguments = ("${into}",)\nallow_root_commands = true\n` +
        `[options]\nread_all = ${isDeleting}\ndelete = ${isDeleting}\nreceived = false\ndelivered_to = false\n`,
    )
    return run('getmail', [`--getmaildir=${home}`, `--rcfile=${rc}`])
  },
  // Python's parser folds long lines, and mends line ends and boundaries.
  rewritten: [
    ...['a mail that was forwarded twice', 'names as they are written'],
    ...['a subject of 1,100 characters', 'a multipart without a boundary'],
    ...['a multipart whose boundary never comes', 'a multipart that was cut'],
  ],
}

/** Knows what it has by `\\Seen`; ends with 1 where nothing is new. */
const fetchmail: Fetcher = {
  name: 'fetchmail',
  fetch: async ({ port, email, password, folder }, { mailbox, keep, into, isDeleting }) => {
    const rc = join(folder, 'fetchmailrc')
    writeFileSync(
      rc,
      `set invisible\npoll 127.0.0.1 protocol imap service ${port}\n  user "${email}" password "${password}" folder "${mailbox}"\n` +
        `  ssl sslcertck sslcertfile "${folder}/cert.pem" sslcommonname "${MAIL_HOST}"\n` +
        `  ${isDeleting ? 'nokeep fetchall' : 'keep'} norewrite\n  mda "${keep} ${into}"\n`,
      { mode: 0o600 },
    )
    const { code, said } = await run('fetchmail', [
      ...['--fetchmailrc', rc, '--pidfile', join(folder, 'fetchmail.pid')],
      ...['--idfile', join(folder, 'fetchmail.ids')],
    ])
    return { code: code === 1 ? 0 : code, said }
  },
  rewritten: [],
}
