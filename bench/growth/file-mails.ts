/** Mail that comes to random mailboxes over SMTP, as from eight servers that keep their connections. */
import { anSmtpClient, onTheWire } from '#test-world/smtp/smtp-client.ts'
import { mailOf } from './kinds.ts'

const CONNECTIONS = 8
const FROM = 'grace@example.org'

/** Milliseconds from the end of each mail to its 250. Ends after `count`, or when `isEnough`. */
export const fileMails = async (
  port: number,
  recipients: readonly string[],
  { count, isEnough = () => false }: { count: number; isEnough?: () => boolean },
): Promise<number[]> => {
  const took: number[] = []
  let begun = 0
  const connection = async () => {
    const client = await anSmtpClient(port)
    const expect = (reply: string, code: string) => {
      if (!reply.startsWith(code)) throw new Error(`wanted ${code}, got ${reply}`)
    }
    try {
      expect(await client.reply(), '220')
      expect(await client.say('EHLO bench.example.org'), '250')
      while (begun < count && !isEnough()) {
        const n = begun++
        expect(await client.say(`MAIL FROM:<${FROM}>`), '250')
        expect(await client.say(`RCPT TO:<${recipients[n % recipients.length]}>`), '250')
        expect(await client.say('DATA'), '354')
        const startedAt = performance.now()
        client.write(onTheWire(newMail()))
        expect(await client.reply(), '250')
        took.push(performance.now() - startedAt)
      }
      expect(await client.say('QUIT'), '221')
    } finally {
      client.close()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return took
}

let made = 0

/** One that no mailbox has. */
const newMail = (): string => {
  const raw = mailOf(1_000_000 + (Date.now() % 100_000_000) + made++).toString()
  return raw.replace(/^From: .*$/m, `From: Grace <${FROM}>`)
}
