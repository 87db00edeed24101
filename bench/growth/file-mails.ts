/** Mail that comes to random mailboxes over SMTP, as from eight servers that keep their connections. */
import { FROM, withSender } from '../smtp/with-sender.ts'
import { mailOf } from './kinds.ts'

const CONNECTIONS = 8

/** Milliseconds from the end of each mail to its 250. Ends after `count`, or when `isEnough`. */
export const fileMails = async (
  port: number,
  recipients: readonly string[],
  { count, isEnough = () => false }: { count: number; isEnough?: () => boolean },
): Promise<number[]> => {
  const took: number[] = []
  let begun = 0
  const connection = () =>
    withSender(port, async (send) => {
      while (begun < count && !isEnough())
        took.push(await send(recipients[begun++ % recipients.length] ?? '', newMail()))
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return took
}

let made = 0

/** One that no mailbox has. */
const newMail = (): string => {
  const raw = mailOf(1_000_000 + (Date.now() % 100_000_000) + made++).toString()
  return raw.replace(/^From: .*$/m, `From: Grace <${FROM}>`)
}
