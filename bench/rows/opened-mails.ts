import { setTimeout as wait } from 'node:timers/promises'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { processBytes } from '../memory.ts'
import { aFolder, logIn, type Product, seed, startProduct } from '../product.ts'
import type { Bench } from '../row.ts'
import { aFullMailbox, anAdmin, EMAIL, PASSWORD } from '../sample.ts'

const MAILS = 150
const ROUNDS = 2
/** The reading threads have ended by then. */
const REST_MS = 35_000

/** The memory of one process after mails of 3 kB to 2 MB arrived and were opened repeatedly, and some time later. */
export const openedMails: Bench = {
  name: 'opened mails',
  run: async () => {
    const { dataDir, remove } = aFolder()
    let mailbox = { id: '', email: '' }
    await seed(dataDir, async (world) => {
      mailbox = await aFullMailbox(world, await anAdmin(world), 0)
    })
    const product = await startProduct(dataDir)
    const megabytes = () => processBytes(product.pid) / 1e6
    try {
      const before = megabytes()
      for (let n = 0; n < MAILS; n++) await receive(product, mailbox.email, n)
      await openAll(product, mailbox.id)
      const opened = megabytes()
      await wait(REST_MS)
      return [
        { what: `memory when ${MAILS} mails were opened`, value: opened, unit: 'MB', budget: 512 },
        { what: '  before', value: before, unit: 'MB', budget: null },
        { what: '  35 s after', value: megabytes(), unit: 'MB', budget: 400 },
      ]
    } finally {
      await product.stop()
      remove()
    }
  },
}

const receive = async ({ smtpPort }: Product, to: string, n: number): Promise<void> => {
  const line = `<p>${'Some words of a newsletter, and <a href="https://example.com/x">a link</a>. '.repeat(5)}</p>\r\n`
  const html = line.repeat(n % 10 < 6 ? 5 : 200)
  const file = Buffer.alloc(n % 10 === 9 ? 1_500_000 : 30, n).toString('base64')
  const raw = [
    `Subject: mail ${n}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}`,
    `Content-Type: a/b; name=file\r\nContent-Transfer-Encoding: base64\r\n\r\n${file.replace(/(.{76})/g, '$1\r\n')}`,
  ].join('\r\n--b\r\n')
  const reply = await sendMail(smtpPort, { to, raw: `From: e@example.net\r\n${raw}\r\n--b--\r\n` })
  if (!reply.startsWith('250')) throw new Error(reply)
}

const openAll = async ({ url }: Product, mailboxId: string): Promise<void> => {
  const authorization = `Bearer ${await logIn(url, EMAIL, PASSWORD)}`
  const read = async (path: string) => {
    const response = await fetch(`${url}/api/v1/mailboxes/${mailboxId}/messages${path}`, {
      headers: { authorization },
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.text()
  }
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page = JSON.parse(await read(`?limit=200${cursor}`)) as {
      items: { _id: string }[]
      nextCursor: string | null
    }
    ids.push(...page.items.map(({ _id }) => _id))
    if (page.nextCursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  for (let round = 0; round < ROUNDS; round++) for (const id of ids) await read(`/${id}`)
}
