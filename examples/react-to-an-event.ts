/**
 * Reacts to events of a workspace: says who could not be reached. Add a webhook that is told 'A mail could not be delivered', then
 * start this with its secret: WEBHOOK_SECRET=whsec_... PORT=9000 node examples/react-to-an-event.ts
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Webhooks } from './client/index.ts'

/** Of any topic: its `type` says which data it has. */
type Event = Webhooks['body']

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
/** An event may come twice, with the same id. A real program keeps the ids in its database. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const body = await text(request)
  let event: Event
  try {
    // The body as it came: read and written again it would have another signature.
    event = webhook.verify(body, request.headers as Record<string, string>) as Event
  } catch {
    return response.writeHead(400).end('The signature is wrong')
  }
  // Answer soon, and work afterwards: an answer has ten seconds.
  response.writeHead(204).end()
  const id = String(request.headers['webhook-id'])
  if (seen.has(id)) return
  seen.add(id)
  if (event.type === 'mail.bounced')
    console.log(`${event.data.recipient} could not be reached: ${event.data.reply}`)
})

server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.log(`Waiting for events on port ${(server.address() as AddressInfo).port}`)
})
