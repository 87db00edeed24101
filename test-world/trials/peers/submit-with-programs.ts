/** swaks and msmtp hand in mail as mail programs do: with STARTTLS and over TLS, by PLAIN and LOGIN. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { ELSEWHERE, type Product } from '../../product.ts'
import type { Account } from '../account.ts'
import { type Ran, run } from './tools.ts'

type Ways = Record<string, () => Promise<Ran>>

/** Each mail comes to its recipients and to Sent once; what is not allowed is refused. @returns what went wrong */
export const submitWithPrograms = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
): Promise<string[]> => {
  const { password } = await account.ask('POST', `/mailboxes/${mailbox._id}/app-passwords`, {
    ...{ name: 'Programs', scopes: ['smtp'] },
  })
  const { allowed, refused } = waysOf(product, mailbox.email, password)
  const faults: string[] = []
  for (const [way, send] of Object.entries(allowed)) {
    const { code, said } = await send()
    if (code !== 0) faults.push(`a program could not send (${way}): ${said}`)
  }
  for (const [way, send] of Object.entries(refused))
    if ((await send()).code === 0) faults.push(`a program could send (${way})`)
  if (faults.length === 0)
    for (const way of Object.keys(allowed))
      for (const to of [addressOf('to', way), addressOf('bcc', way)])
        faults.push(...(await judge(product, to, way)))
  const sent: string[] = await sentSubjects(account, mailbox)
  for (const way of Object.keys(allowed))
    if (sent.filter((subject) => subject === way).length !== 1)
      faults.push(`what a program sent (${way}) is not in Sent once`)
  return faults
}

const addressOf = (field: 'to' | 'bcc', way: string): string =>
  `${field}-${way.toLowerCase().replace(/\W+/g, '-')}@${ELSEWHERE}`

const waysOf = (
  { submissionPort, submissionsPort }: Product,
  from: string,
  password: string,
): { allowed: Ways; refused: Ways } => {
  const swaks = (way: string, port: number, options: string[], sender = from) =>
    run('swaks', [
      ...['--server', '127.0.0.1', '--port', String(port), '--auth-user', from],
      ...['--from', sender, '--to', `${addressOf('to', way)},${addressOf('bcc', way)}`],
      ...['--header', `Subject: ${way}`, '--header', `To: ${addressOf('to', way)}`],
      ...['--body', 'größe\n.\n..dots', ...options],
    ])
  const withPassword = ['--auth-password', password]
  const msmtp = (way: string, port: number, options: string[]) =>
    run(
      'msmtp',
      [
        ...['--host=127.0.0.1', `--port=${port}`, '--tls=on', '--tls-certcheck=off'],
        ...[`--user=${from}`, `--passwordeval=echo ${password}`, `--from=${from}`, ...options],
        ...['--', addressOf('to', way), addressOf('bcc', way)],
      ],
      Buffer.from(
        `From: Ada <${from}>\nTo: ${addressOf('to', way)}\nSubject: ${way}\n\ngröße\n.\n..dots\n`,
      ),
    )
  return {
    allowed: {
      'swaks with STARTTLS': () =>
        swaks('swaks with STARTTLS', submissionPort, ['--tls', '--auth', 'PLAIN', ...withPassword]),
      'swaks over TLS': () =>
        swaks('swaks over TLS', submissionsPort, ['-tlsc', '--auth', 'LOGIN', ...withPassword]),
      'msmtp with STARTTLS': () =>
        msmtp('msmtp with STARTTLS', submissionPort, ['--tls-starttls=on', '--auth=plain']),
      'msmtp over TLS': () =>
        msmtp('msmtp over TLS', submissionsPort, ['--tls-starttls=off', '--auth=login']),
    },
    refused: {
      'no TLS': () => swaks('no TLS', submissionPort, ['--auth', 'PLAIN', ...withPassword]),
      'no password': () => swaks('no password', submissionsPort, ['-tlsc', '--auth-password', 'x']),
      'another sender': () =>
        swaks('another', submissionsPort, ['-tlsc', ...withPassword], `eve@${ELSEWHERE}`),
    },
  }
}

const judge = async (product: Product, to: string, way: string): Promise<string[]> => {
  const { message, email } = await product.mailTo(to)
  const raw = message.raw.toString()
  const mails = product.peer.messages.filter((each) => each.to.includes(to))
  const faults: string[] = []
  if (mails.length !== 1) faults.push(`${to} got ${mails.length} mails`)
  if (email.subject !== way) faults.push(`${to} got another mail: ${email.subject}`)
  if (!/größe\r\n\.\r\n\.\.dots/.test(raw)) faults.push(`${to} did not get the text: ${raw}`)
  if (raw.includes(addressOf('bcc', way))) faults.push(`${to} sees who got a blind copy`)
  if (/^Received:.*127\.0\.0\.1/m.test(raw)) faults.push(`${to} sees where the program is`)
  return faults
}

const sentSubjects = async (account: Account, mailbox: Mailbox): Promise<string[]> => {
  const folders = await account.ask('GET', `/mailboxes/${mailbox._id}/folders`)
  const sent = folders.find(({ role }: { role: string | null }) => role === 'sent')
  const path = `/mailboxes/${mailbox._id}/messages?folder=${sent._id}&limit=200`
  const { items } = await account.ask('GET', path)
  return items.map(({ subject }: { subject: string }) => subject)
}
