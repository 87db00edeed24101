/** Mail that Postfix relays to the product, and mail of the product that Postfix accepts. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '../../product.ts'
import type { Account } from '../account.ts'
import { FROM, subjectsOf } from './mail-transfer.ts'
import { POSTFIX_DOMAIN, POSTFIX_IP, startPostfix } from './postfix.ts'
import { run } from './tools.ts'

const EACH_WAY = 20
const WAIT_MS = 60_000

export const exchangeWithPostfix = async (
  product: Product,
  account: Account,
  mailbox: Mailbox,
): Promise<string[]> => {
  const { dns, peer, smtpPort } = product
  const mxPort = peer.port
  dns.zone(POSTFIX_DOMAIN)
  dns.set(POSTFIX_DOMAIN, 'MX', [`10 mx.${POSTFIX_DOMAIN}`])
  dns.set(`mx.${POSTFIX_DOMAIN}`, 'A', [POSTFIX_IP])
  const postfix = await startPostfix(mxPort, smtpPort)
  try {
    const counted = ['-s', '4', '-m', String(EACH_WAY), '-S', 'through Postfix']
    const sent = await run('smtp-source', [
      ...[...counted, '-f', FROM, '-t', mailbox.email, `${POSTFIX_IP}:${mxPort}`],
    ])
    if (sent.code !== 0) return [`Postfix did not take mail for us: ${sent.said}`]
    for (let n = 0; n < EACH_WAY; n++)
      await account.ask('POST', `/mailboxes/${mailbox._id}/messages`, {
        ...{ to: [`user${n}@${POSTFIX_DOMAIN}`], subject: `To Postfix ${n}` },
        text: `Hello Postfix\n.\n..dots\nMail ${n}\n`,
      })
    const isThere = async () => ({
      here: (await subjectsOf(account, mailbox)).filter((subject) => subject === 'through Postfix'),
      there: postfix.mails().map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1] ?? ''),
    })
    const giveUpAt = Date.now() + WAIT_MS
    let { here, there } = await isThere()
    while ((here.length < EACH_WAY || there.length < EACH_WAY) && Date.now() < giveUpAt) {
      await wait(200)
      ;({ here, there } = await isThere())
    }
    const faults: string[] = []
    if (here.length !== EACH_WAY)
      faults.push(
        `${here.length} of ${EACH_WAY} mails came through Postfix: ${postfix.log().slice(-600)}`,
      )
    for (let n = 0; n < EACH_WAY; n++)
      if (there.filter((subject) => subject === `To Postfix ${n}`).length !== 1)
        faults.push(`Postfix has not got mail ${n} once: ${postfix.log().slice(-600)}`)
    if (!postfix.mails().every((mail) => /^\.\r?\n\.\.dots\r?\nMail \d+/m.test(mail)))
      faults.push('dots did not come to Postfix as they were written')
    return faults
  } finally {
    await postfix.close()
  }
}
