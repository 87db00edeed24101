import { anSmtpClient, onTheWire } from '#test-world/smtp/smtp-client.ts'

export const FROM = 'grace@example.org'

/** Sends one mail; returns the milliseconds from its end to the 250. */
export type Send = (to: string, raw: string) => Promise<number>

/** A connection that stays open while mail after mail is sent over it. @throws unless every mail gets 250 */
export const withSender = async (
  port: number,
  use: (send: Send) => Promise<void>,
): Promise<void> => {
  const client = await anSmtpClient(port)
  const expect = (reply: string, code: string) => {
    if (!reply.startsWith(code)) throw new Error(`wanted ${code}, got ${reply}`)
  }
  try {
    expect(await client.reply(), '220')
    expect(await client.say('EHLO bench.example.org'), '250')
    await use(async (to, raw) => {
      expect(await client.say(`MAIL FROM:<${FROM}>`), '250')
      expect(await client.say(`RCPT TO:<${to}>`), '250')
      expect(await client.say('DATA'), '354')
      const startedAt = performance.now()
      client.write(onTheWire(raw))
      expect(await client.reply(), '250')
      return performance.now() - startedAt
    })
    expect(await client.say('QUIT'), '221')
  } finally {
    client.close()
  }
}
