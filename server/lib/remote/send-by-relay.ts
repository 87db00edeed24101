/** Hands a mail to the server that the operator chose for it, past every queue. */
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { connectionOptions, relayOf } from './smtp-destination.ts'

export type RelayedMail = { from: string; to: readonly string[]; raw: Buffer }

/** @throws Error whose message is the server's reply, or why there is none; no try takes longer than `wholeMs` */
export const sendByRelay = async (
  relayUrl: string,
  ehlo: string,
  mail: RelayedMail,
  wholeMs: number,
): Promise<void> => {
  const relay = relayOf(relayUrl)
  const waits = { connectMs: wholeMs, greetingMs: wholeMs, idleMs: wholeMs }
  const connection = new SMTPConnection(connectionOptions(relay, ehlo, waits))
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', (error) => reject(replyOf(error)))
    connection.on('end', () => reject(new Error('the connection ended')))
    // A server that answers byte by byte is never idle.
    timer = setTimeout(() => reject(new Error('it took too long')), wholeMs)
  })
  const step = (start: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) =>
        start((error) => (error ? reject(replyOf(error)) : resolve())),
      ),
    ])
  try {
    const { auth } = relay
    await step((done) => connection.connect(done))
    if (auth !== null) await step((done) => connection.login(auth, done))
    const envelope = { from: mail.from, to: [...mail.to], size: mail.raw.length }
    await step((done) => connection.send(envelope, mail.raw, done))
    connection.quit()
  } finally {
    clearTimeout(timer)
    failed.catch(() => {})
    connection.close()
  }
}

const replyOf = (error: Error & { response?: unknown }): Error =>
  typeof error.response === 'string' ? new Error(error.response) : error
