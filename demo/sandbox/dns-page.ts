/**
 * 'Sandbox DNS': the zones of the demo's DNS, as a DNS provider's editor shows them. A server of its own, so that nothing
 * of it is in the product. It listens on loopback, and takes posts from its own page only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Database } from '#server/storage/database.ts'
import type { SandboxZones } from '../world/sandbox-zones.ts'
import { CONTENT_POLICY, overviewPage, refusedPage, zonePage } from './dns-html.ts'
import { changeZones, Mistyped } from './edit-zones.ts'
import { addedDomains, askedRecords } from './publish.ts'

type Sandbox = { db: Database; zones: SandboxZones; dashboardUrl: string }
type Answer = { status: number; html: string } | { status: 303; location: string }

const PATH = '/dev/dns'
const MAX_BODY_BYTES = 50_000

/** Answers the address of the page. @param port 0: any that is free */
export const openSandboxPage = async (
  sandbox: Sandbox,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    answerTo(sandbox, request).then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, refused(500, String(error))),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const chosen = address !== null && typeof address === 'object' ? address.port : port
  return {
    url: `http://localhost:${chosen}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const answerTo = async (sandbox: Sandbox, request: IncomingMessage): Promise<Answer> => {
  const host = request.headers.host ?? ''
  // Any other name is a page elsewhere that points its own name at this computer.
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)) return refused(403, 'Unknown host')
  const url = new URL(request.url ?? '/', `http://${host}`)
  if (url.pathname === '/') return { status: 303, location: PATH }
  if (url.pathname !== PATH) return refused(404, 'There is no such page')
  if (request.method === 'POST') {
    if (request.headers.origin !== url.origin) return refused(403, 'Only this page may change it')
    return change(sandbox, request)
  }
  if (request.method !== 'GET') return refused(405, 'GET or POST')
  const zone = url.searchParams.get('zone')
  return zone === null ? overview(sandbox) : zoneOr404(sandbox, zone)
}

const overview = async ({ db, zones, dashboardUrl }: Sandbox): Promise<Answer> => {
  const added = await addedDomains(db)
  const others = zones.names().filter((name) => !added.includes(name))
  const domains = added.map((name) => ({ name, hasZone: zones.zoneOf(name) !== null }))
  return { status: 200, html: overviewPage({ domains, others, dashboardUrl }) }
}

const zoneOr404 = async (sandbox: Sandbox, name: string, fault?: string): Promise<Answer> => {
  const { db, zones, dashboardUrl } = sandbox
  const asked = await askedRecords(db, name)
  const zone = zones.zoneOf(name)
  if (zone === null && asked.length === 0) return refused(404, 'There is no such zone')
  const records = zones.recordsOf(zone ?? name)
  const isFailing = zones.isFailing(zone ?? name)
  const common = { name, zone, isFailing, asked, records, dashboardUrl }
  const html = zonePage({ ...common, ...(fault && { fault }) })
  return { status: fault ? 422 : 200, html }
}

const change = async (sandbox: Sandbox, request: IncomingMessage): Promise<Answer> => {
  if (Number(request.headers['content-length'] ?? Number.NaN) > MAX_BODY_BYTES)
    return refused(413, 'Too long')
  const form = new URLSearchParams(await text(request))
  const domain = form.get('domain') ?? ''
  try {
    changeZones(sandbox.zones, form, await askedRecords(sandbox.db, domain))
  } catch (error) {
    if (error instanceof Mistyped) return zoneOr404(sandbox, domain, error.message)
    throw error
  }
  return { status: 303, location: `${PATH}?zone=${encodeURIComponent(domain)}` }
}

const refused = (status: number, words: string): Answer => ({ status, html: refusedPage(words) })

const send = (response: ServerResponse, answer: Answer): void => {
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': CONTENT_POLICY,
  }
  if ('location' in answer) response.writeHead(303, { ...headers, location: answer.location }).end()
  else
    response
      .writeHead(answer.status, { ...headers, 'content-type': 'text/html; charset=utf-8' })
      .end(answer.html)
}
