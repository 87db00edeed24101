/** A stage of Stripe's API on localhost: enough of it to collect invoices, with its idempotency keys, events, pages and troubles. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import type { StripeSettings } from '#server/config.ts'
import { answerApi } from './api.ts'
import { Events } from './events.ts'
import { readForm } from './form.ts'
import { Objects, Refusal } from './objects.ts'
import type { StageAction } from './page.ts'
import { answerPage } from './pages.ts'

/** before, after: the connection breaks before or after it is done. forbidden: the key has no right to it. */
export type Trouble = 'none' | 'before' | 'after' | 'error' | 'limit' | 'forbidden'
export type Call = { method: string; path: string }

export type StripeStage = {
  url: string
  /** For `stripe` in the settings of an app. */
  settings: StripeSettings
  objects: Objects
  events: Events
  /** Chosen by a test for each call, which waits for it. */
  trouble: (call: Call) => Trouble | Promise<Trouble>
  /** Buttons of the front page. */
  actions: StageAction[]
  /** The calls that were done, in order. */
  calls: Call[]
  /** As after a day. */
  forgetKeys(): void
  close(): Promise<void>
}

const KEY = 'sk_test_thestageofstripe'
const SECRET = 'whsec_thestageofstripe'

export const aStripeStage = async (
  now: () => Date = () => new Date(),
  port = 0,
): Promise<StripeStage> => {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const events = new Events(now, SECRET)
  const objects = new Objects(
    now,
    (type, object) => events.emit(type, object),
    () => url,
  )
  const keys = new Map<string, { asked: string; status: number; body: string }>()
  const stage: StripeStage = {
    ...{ url, objects, events, actions: [], calls: [], trouble: () => 'none' },
    settings: { secretKey: KEY, webhookSecret: SECRET, api: url },
    forgetKeys: () => keys.clear(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request)
    const { method = '', headers } = request
    const { pathname: path, searchParams } = new URL(request.url ?? '', url)
    if (!path.startsWith('/v1/')) {
      const form = new URLSearchParams(body)
      return answerPage(stage, { method, path, form }, response)
    }
    const call = { method, path }
    const trouble = await stage.trouble(call)
    if (trouble === 'before') return request.socket.destroy()
    if (trouble === 'error' || trouble === 'limit')
      return send(response, trouble === 'limit' ? 429 : 500, { error: { type: 'api_error' } })
    if (headers.authorization !== `Bearer ${KEY}`)
      return send(response, 401, {
        error: { type: 'invalid_request_error', message: 'Invalid key' },
      })
    if (trouble === 'forbidden')
      return send(response, 403, { error: { type: 'invalid_request_error', message: 'No right' } })
    const done = perform({ ...call, body, query: searchParams }, headers['idempotency-key'])
    if (trouble === 'after') return request.socket.destroy()
    response.setHeader('idempotent-replayed', String(done.isReplayed))
    return sendText(response, done.status, done.body)
  }

  type Asked = Call & { body: string; query: URLSearchParams }

  /** Same key and same values: the same answer. Other values: refused. */
  const perform = (asked: Asked, key: string | string[] | undefined) => {
    const isKeyed = asked.method === 'POST' && typeof key === 'string'
    const said = `${asked.path} ${asked.body}`
    const earlier = isKeyed ? keys.get(key) : undefined
    if (earlier && earlier.asked !== said)
      return { status: 400, isReplayed: false, body: JSON.stringify({ error: OTHER_VALUES }) }
    if (earlier) return { ...earlier, isReplayed: true }
    stage.calls.push({ method: asked.method, path: asked.path })
    const done = tryTo(() => answerApi(objects, events, { ...asked, form: readForm(asked.body) }))
    if (isKeyed) keys.set(key, { ...done, asked: said })
    return { ...done, isReplayed: false }
  }
  return stage
}

const OTHER_VALUES = {
  type: 'idempotency_error',
  message: 'Keys for idempotent requests can only be used with the same parameters.',
}

const tryTo = (answer: () => unknown): { status: number; body: string } => {
  try {
    return { status: 200, body: JSON.stringify(answer()) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: JSON.stringify({ error: error.body }) }
  }
}

const send = (response: ServerResponse, status: number, body: object): void =>
  sendText(response, status, JSON.stringify(body))

const sendText = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
