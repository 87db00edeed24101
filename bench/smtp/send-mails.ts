/** Eight clients that send 10 kB mails over persistent connections: smtp-source when Postfix is installed, otherwise our own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { FROM, withSender } from './with-sender.ts'

const CONNECTIONS = 8
const BYTES = 10_000
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` }
const hasSmtpSource = spawnSync('sh', ['-c', 'command -v smtp-source'], { env }).status === 0

/** Each connection sends to one of `recipients`. @throws unless every mail gets 250 */
export const sendMails = async (
  port: number,
  recipients: readonly string[],
  count: number,
): Promise<void> => {
  const send = hasSmtpSource ? bySmtpSource : byOurselves
  const share = Math.ceil(count / CONNECTIONS)
  await Promise.all(
    Array.from({ length: Math.min(CONNECTIONS, Math.ceil(count / share)) }, (_, n) =>
      send(port, recipients[n % recipients.length] ?? '', Math.min(share, count - n * share)),
    ),
  )
}

const bySmtpSource = async (port: number, to: string, count: number): Promise<void> => {
  const counts = ['-d', '-s', '1', '-m', String(count), '-l', String(BYTES)]
  const child = spawn('smtp-source', [...counts, '-f', FROM, '-t', to, `127.0.0.1:${port}`], {
    ...{ env, stdio: 'inherit' },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`smtp-source ended with ${code}`)
}

const byOurselves = (port: number, to: string, count: number): Promise<void> =>
  withSender(port, async (send) => {
    for (let n = 0; n < count; n++) await send(to, mailTo(to, n))
  })

const line = `${'All the world is a stage, and mail its messenger. '.padEnd(70, '.')}\r\n`
const body = line.repeat(Math.ceil(9_700 / line.length))

const mailTo = (to: string, n: number): string =>
  `From: Grace <${FROM}>\r\nTo: ${to}\r\nSubject: Number ${n}\r\n` +
  `Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${n}-${Date.now()}@example.org>\r\n\r\n${body}`
