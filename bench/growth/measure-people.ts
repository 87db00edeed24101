/** Where people are: mail that comes, lists, searches and mail programs, in a large mailbox and in one with 500 mails. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { anAppPassword } from '../imap/with-imap-product.ts'
import { processorMs } from '../memory.ts'
import { logIn, type Product } from '../product.ts'
import { type Measured, median, percentile } from '../row.ts'
import { EMAIL, PASSWORD } from '../sample.ts'
import { fileMails } from './file-mails.ts'
import { AVERAGES, type Box } from './installation.ts'
import { wordOf } from './kinds.ts'
import type { Served } from './with-grown.ts'

const MAILS = 4_000
const WARM_UP = 400
const RECIPIENTS = 2_000
const CALLS = 15

export const measurePeople = async (served: Served): Promise<Measured[]> => [
  ...(await filing(served)),
  ...(await reading(served)),
]

export const someRecipients = async (client: pg.Client, count = RECIPIENTS): Promise<string[]> => {
  const { rows } = await client.query<{ email: string }>(
    `select b.email from mailboxes b where exists (select from folders f where f.mailbox_id = b.id and f.message_count > 0)
    order by md5(b.id::text) limit $1`,
    [count],
  )
  return rows.map(({ email }) => email)
}

const filing = async ({ product, client }: Served): Promise<Measured[]> => {
  const recipients = await someRecipients(client)
  await fileMails(product.smtpPort, recipients, { count: WARM_UP })
  const before = processorMs([product.pid], product.dataDir)
  const startedAt = performance.now()
  const took = await fileMails(product.smtpPort, recipients, { count: MAILS })
  const seconds = (performance.now() - startedAt) / 1000
  const workMs = (processorMs([product.pid], product.dataDir) - before) / MAILS
  return [
    { what: 'mails accepted', value: MAILS / seconds, unit: 'messages/s', budget: null },
    { what: '  half of them within', value: percentile(took, 50), unit: 'ms', budget: null },
    { what: '  99 of 100 within', value: percentile(took, 99), unit: 'ms', budget: null },
    { what: '  all within', value: Math.max(...took), unit: 'ms', budget: null },
    { what: '  processor for each', value: workMs, unit: 'ms', budget: null },
  ]
}

type Get = (path: string) => Promise<Answer>
type Answer = { items?: { id: string }[]; nextCursor?: string | null; total?: number }

export const apiOf = async (product: Product): Promise<{ token: string; get: Get }> => {
  const token = await logIn(product.url, EMAIL, PASSWORD)
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${product.url}/api/v1${path}`, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }
  return { token, get }
}

/** Words by how many mails have them; `order1x1` is in one. */
export const searches = (own: string): [what: string, q: string][] => [
  ['search, a word of nearly every mail', wordOf(1)],
  ['search, a word of one mail in 30', wordOf(150)],
  ['search, two such words', `${wordOf(150)} ${wordOf(170)}`],
  ['search, a word of one mail in 3,000', wordOf(15_000)],
  ['search, a word of one mail', own],
  ['search, a word of no mail', 'quicksilver'],
]

export const pathsOf = async (get: Get, { id }: Box, own: string): Promise<[string, string][]> => {
  const list = `/mailboxes/${id}/messages?folder=inbox&limit=50`
  const next = (await get(list)).nextCursor ?? ''
  const middle = Math.floor(((await get(`/mailboxes/${id}/conversations`)).total ?? 0) / 2)
  return [
    ['folders with unread counts', `/mailboxes/${id}/folders`],
    ['list', list],
    ['list, second page', `${list}&cursor=${encodeURIComponent(next)}`],
    ['conversations', `/mailboxes/${id}/conversations?limit=50`],
    ['conversations, in the middle', `/mailboxes/${id}/conversations?limit=50&from=${middle}`],
    ...searches(own).map(([what, q]): [string, string] => [
      what,
      `/mailboxes/${id}/search/conversations?limit=50&q=${encodeURIComponent(q)}`,
    ]),
  ]
}

const reading = async (served: Served): Promise<Measured[]> => {
  const { product, grown } = served
  const { token, get } = await apiOf(product)
  const rows = await firstLooks(served, get)
  for (const [name, box, own] of [
    ['large', grown.large, 'order1x1'],
    ['average', grown.average, 'order2x1'],
  ] as const) {
    for (const [what, path] of await pathsOf(get, box, own)) {
      await get(path)
      const took: number[] = []
      for (let n = 0; n < CALLS; n++) took.push(await timed(() => get(path)))
      rows.push({ what: `${name} mailbox: ${what}`, value: median(took), unit: 'ms', budget: null })
    }
    const password = await anAppPassword(product.url, token, box.id)
    rows.push(...(await byProgram(served.imapsPort, { login: box.email, password }, name)))
  }
  return rows
}

/** The list of mailboxes that nobody has looked at for long: their pages are on the disk. */
const firstLooks = async ({ client, grown }: Served, get: Get): Promise<Measured[]> => {
  const { rows } = await client.query<{ id: string }>(
    `select r.mailbox_id as id from mailbox_readers r join users u on u.id = r.user_id
    where u.email = $1 and r.mailbox_id <> all($2::uuid[]) limit $3`,
    [EMAIL, [grown.large.id, grown.average.id], AVERAGES - 1],
  )
  const took: number[] = []
  for (const { id } of rows)
    took.push(await timed(() => get(`/mailboxes/${id}/conversations?limit=50`)))
  return [
    { what: 'first look at a mailbox, half', value: median(took), unit: 'ms', budget: null },
    { what: '  the slowest', value: Math.max(...took), unit: 'ms', budget: null },
  ]
}

const byProgram = async (
  port: number,
  { login, password }: { login: string; password: string },
  name: string,
): Promise<Measured[]> => {
  const client = await ImapClient.connect(port)
  try {
    await client.until('* OK')
    await client.ok(`LOGIN ${login} ${password}`)
    const selected = await timed(() => client.ok('SELECT INBOX'))
    const fetch = () =>
      timed(async () => {
        const tag = client.nextTag()
        client.send(`${tag} FETCH 1:* (UID FLAGS)\r\n`)
        await client.skipTo(tag)
      })
    const [flags, again] = [await fetch(), await fetch()]
    return [
      { what: `${name} mailbox: SELECT`, value: selected, unit: 'ms', budget: null },
      { what: `${name} mailbox: FETCH of all flags`, value: flags, unit: 'ms', budget: null },
      { what: '  once more', value: again, unit: 'ms', budget: null },
    ]
  } finally {
    client.close()
    await wait(50)
  }
}

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
