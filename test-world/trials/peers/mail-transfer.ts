/** swaks and smtp-source deliver mail like ordinary clients, also eight at a time. */
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '../../product.ts'
import type { Account } from '../account.ts'
import { run } from './tools.ts'

export const FROM = 'grace@sender.example'
const AT_ONCE = 8

/** Plain, with STARTTLS, and pipelined; then to an unknown recipient. */
export const sendWithSwaks = async (
  { smtpPort }: Pick<Product, 'smtpPort'>,
  account: Account,
  mailbox: Mailbox,
): Promise<string[]> => {
  const server = ['--server', '127.0.0.1', '--port', String(smtpPort), '--from', FROM]
  const ways: Record<string, string[]> = {
    plain: [],
    encrypted: ['--tls'],
    pipelined: ['--pipeline'],
    attached: ['--attach-type', 'text/plain', '--attach-body', 'größe\n.\n..\n'],
  }
  const faults: string[] = []
  for (const [way, options] of Object.entries(ways)) {
    const header = ['--header', `Subject: swaks ${way}`]
    const { code, said } = await run('swaks', [
      ...server,
      '--to',
      mailbox.email,
      ...header,
      ...options,
    ])
    if (code !== 0) faults.push(`swaks could not deliver (${way}): ${said}`)
  }
  const nobody = await run('swaks', [...server, '--to', `nobody@${mailbox.domain}`])
  if (nobody.code === 0) faults.push('swaks could deliver to nobody')
  const subjects = await subjectsOf(account, mailbox)
  for (const way of Object.keys(ways))
    if (subjects.filter((subject) => subject === `swaks ${way}`).length !== 1)
      faults.push(`the mail that swaks sent (${way}) is not there once`)
  return faults
}

export const sendWithSmtpSource = async (
  { smtpPort }: Pick<Product, 'smtpPort'>,
  account: Account,
  mailbox: Mailbox,
  count: number,
): Promise<string[]> => {
  const options = ['-s', String(AT_ONCE), '-m', String(count), '-l', '5000', '-S', 'smtp-source']
  const { code, said } = await run('smtp-source', [
    ...[...options, '-f', FROM, '-t', mailbox.email, `127.0.0.1:${smtpPort}`],
  ])
  if (code !== 0) return [`smtp-source ended with ${code}: ${said}`]
  const there = (await subjectsOf(account, mailbox)).filter((subject) => subject === 'smtp-source')
  return there.length === count ? [] : [`${there.length} of ${count} of smtp-source are there`]
}

export const subjectsOf = async (account: Account, mailbox: Mailbox): Promise<string[]> => {
  const subjects: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/mailboxes/${mailbox._id}/messages?limit=200${cursor && `&cursor=${cursor}`}`
    const { items, nextCursor } = await account.ask('GET', path)
    subjects.push(...items.map(({ subject }: { subject: string }) => subject))
    if (nextCursor === null) return subjects
    cursor = nextCursor
  }
}
