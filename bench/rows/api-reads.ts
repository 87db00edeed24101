import { Agent, request } from 'node:http'
import { aFolder, logIn, seed, startProduct } from '../product.ts'
import { type Bench, percentile } from '../row.ts'
import { aFullMailbox, anAdmin, domains, EMAIL, PASSWORD } from '../sample.ts'

const CONNECTIONS = 16
const REQUESTS = 10_000

/** The reads of the pages, evenly mixed, over 16 keep-alive connections. */
export const apiReads: Bench = {
  name: 'API reads',
  run: async () => {
    const { dataDir, remove } = aFolder()
    let mailboxId = ''
    await seed(dataDir, async (world) => {
      const admin = await anAdmin(world)
      await domains(world, admin.workspace, 40)
      mailboxId = (await aFullMailbox(world, admin, 10_000)).id
    })
    const product = await startProduct(dataDir)
    try {
      const token = await logIn(product.url, EMAIL, PASSWORD)
      await readPages(product.url, token, mailboxId, 600)
      const startedAt = performance.now()
      const times = await readPages(product.url, token, mailboxId, REQUESTS)
      const seconds = (performance.now() - startedAt) / 1000
      return [
        {
          what: 'API, mixed reads, 16 connections',
          value: times.length / seconds,
          unit: 'requests/s',
          budget: 1000,
        },
        { what: 'API, mixed reads, p99', value: percentile(times, 99), unit: 'ms', budget: 50 },
      ]
    } finally {
      await product.stop()
      remove()
    }
  },
}

/** Returns how long each took, in milliseconds. */
export const readPages = async (
  url: string,
  token: string,
  mailboxId: string,
  count: number,
): Promise<number[]> => {
  const paths = [
    '/domains',
    '/stats',
    '/workspaces',
    '/mailboxes?limit=50',
    `/mailboxes/${mailboxId}/folders`,
    `/mailboxes/${mailboxId}/messages?folder=inbox&limit=50`,
  ]
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: number[] = []
  let next = 0
  const connection = async () => {
    while (next < count) {
      const path = paths[next++ % paths.length] ?? ''
      const startedAt = performance.now()
      await get(agent, `${url}/api/v1${path}`, token)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return times
}

const get = (agent: Agent, url: string, token: string): Promise<void> =>
  new Promise((done, fail) => {
    const sent = request(
      url,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? done() : fail(new Error(`${url}: ${response.statusCode}`)),
        )
      },
    )
    sent.on('error', fail)
    sent.end()
  })
