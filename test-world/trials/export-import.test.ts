/** What the page of the mailboxes exports is imported again: the browser's reading and writing, and the server's answers. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImportRow, importTable } from '#contract/many-mailboxes.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain } from '#test-world/builders.ts'
import { decodeTable } from '#web/features/mailboxes/import/decode-table.ts'
import { inDomain } from '#web/features/mailboxes/import/fault-groups.ts'
import { readPeople } from '#web/features/mailboxes/import/read-people.ts'
import { mailboxesTable } from '#web/features/mailboxes/many/mailboxes-csv.ts'
import { asCsv } from '#web/lib/csv.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

/** An Admin with one active domain. */
const anAgency = async (email: string) => {
  const { token } = await aVerifiedAccount(app, anApiClient(server), email)
  const api = anApiClient(server, { authorization: `Bearer ${token}` })
  const workspaceId = (await api.call('GET', '/workspaces')).body[0]._id
  return { api, domain: (await aDomain(app, { workspaceId, active: true })).name }
}
const send = async (api: ApiClient, rows: readonly ImportRow[]): Promise<number> =>
  (
    await api.call('POST', '/mailboxes/import', {
      ...{ table: importTable(rows), mode: 'good', dryRun: false },
    })
  ).body.created
const listed = async ({ api }: Awaited<ReturnType<typeof anAgency>>) =>
  (await api.call('GET', '/mailboxes')).body.items

const NAMES = [
  ...[
    ['Zoë "Z"', 'Müller, Dr.'],
    ['Jean-Luc', 'D’Arc; Sr.'],
    ['عمر', 'الخيام'],
    ['Ana María', 'de la Cruz'],
  ],
  ...[
    ['x;=1', 'y, -z'],
    ["O'Neil", 'Ñandú'],
    ['王王', '小龙小龙'],
  ],
]

test.each([';', ','] as const)(
  'an export divided by %s is imported into another workspace with the same names',
  async (separator) => {
    const key = separator.charCodeAt(0)
    const [from, to] = [await anAgency(`from${key}@a.test`), await anAgency(`to${key}@a.test`)]
    const rows = NAMES.map(([firstName = '', lastName = ''], at) => ({
      ...{ row: at + 2, firstName, lastName, email: `person${at}@${from.domain}`, domain: '' },
    }))
    expect(await send(from.api, rows)).toBe(NAMES.length)
    const bytes = await asCsv(mailboxesTable(await listed(from)), separator).arrayBuffer()
    const decoded = decodeTable(new Uint8Array(bytes))
    const read = readPeople('text' in decoded ? decoded.text : '')
    const people = 'people' in read ? read.people : []
    expect(
      await send(
        to.api,
        people.map((person) => inDomain(person, to.domain)),
      ),
    ).toBe(NAMES.length)
    const namesOf = (list: { firstName: string; lastName: string; email: string }[]) =>
      list
        .map(({ firstName, lastName, email }) => [email.split('@')[0], firstName, lastName])
        .toSorted()
    expect(namesOf(await listed(to))).toEqual(namesOf(await listed(from)))
  },
)
