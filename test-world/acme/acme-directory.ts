/**
 * An ACME directory on loopback (RFC 8555, RFC 9773) whose root only the tests trust. It checks what a real one checks, and can err,
 * limit, hang and lose nonces. It reaches every name at 127.0.0.1.
 */
import { type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { renewalId } from '#server/lib/acme/renewal.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { anAuthority } from './authority.ts'
import {
  keyInRequest,
  publicKeyOf,
  readSigned,
  type SignedRequest,
  thumbprintOf,
} from './signed-request.ts'
import { type ChallengePorts, type Fault, validateHttp, validateTls } from './validate.ts'

/** What it does to requests for this name, or for all. */
export type Mood = 'err' | 'limit' | 'hang' | 'garbage'

export type AcmeDirectory = {
  /** For ACME_DIRECTORY; its host has to lead to 127.0.0.1. */
  url: string
  /** The root of its own certificate, and of those that it issues. */
  root: string
  /** Where it looks at names. */
  ports: ChallengePorts
  /** Which proofs it offers. */
  offers: ('http-01' | 'tls-alpn-01')[]
  /** By name of an order, or '' for all. */
  moods: Map<string, Mood>
  retryAfterSeconds: number
  /** Refuses each nth nonce; 0: none. */
  badNonceEvery: number
  validDays: number
  /** null: it has no ARI. */
  window: { start: Date; end: Date } | null
  /** The names of its orders, as they came in; and what they said to replace. */
  orders: { name: string; replaces: string | null }[]
  /** Serial numbers. */
  revoked: string[]
  issued: number
  refusedNonces: number
  close(): Promise<void>
}

type Order = {
  id: string
  name: string
  kid: string
  status: string
  token: string
  fault: Fault
  kind: string | null
  chain: string | null
}

export const HOST = 'acme.test'

export const anAcmeDirectory = async (now: () => Date): Promise<AcmeDirectory> => {
  const authority = anAuthority()
  const stage = new Stage(now, authority)
  const server = createServer(authority.forServer(HOST), (request, response) => {
    stage.answer(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(error.stack)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `https://${HOST}:${(server.address() as AddressInfo).port}`
  stage.base = base
  return Object.assign(stage.state, {
    ...{ url: `${base}/directory`, root: authority.root },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

class Stage {
  base = ''
  readonly state: Omit<AcmeDirectory, 'url' | 'root' | 'close'> = {
    ...{ ports: { http: 0, tls: 0 }, offers: ['http-01', 'tls-alpn-01'], moods: new Map() },
    ...{ retryAfterSeconds: 3_600, badNonceEvery: 0, validDays: 90, window: null },
    ...{ orders: [], revoked: [], issued: 0, refusedNonces: 0 },
  }
  readonly #now: () => Date
  readonly #authority: ReturnType<typeof anAuthority>
  readonly #nonces = new Set<string>()
  readonly #accounts = new Map<string, JsonWebKey>()
  readonly #orders = new Map<string, Order>()
  #spent = 0

  constructor(now: () => Date, authority: ReturnType<typeof anAuthority>) {
    this.#now = now
    this.#authority = authority
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = request.url ?? '/'
    response.setHeader('replay-nonce', this.#newNonce())
    if (this.#isMoody('', response)) return null
    if (path === '/directory') return this.#send(response, 200, this.#directory())
    if (path === '/nonce') return this.#send(response, 200, null)
    if (path.startsWith('/renewal/')) return this.#tellWindow(path, response)
    const signed = readSigned(Buffer.concat(await request.toArray()).toString('utf8'))
    const refusal = this.#whyRefused(signed, path)
    if (refusal !== null) return this.#refuse(response, 400, refusal)
    if (path === '/account') return this.#account(signed, response)
    return this.#serve(path, signed, response)
  }

  #serve(path: string, signed: SignedRequest, response: ServerResponse): unknown {
    if (path === '/order') return this.#place(signed, response)
    if (path === '/revoke') return this.#revoke(signed, response)
    const [, what = '', id = '', kind = ''] = path.split('/')
    const order = this.#orders.get(id)
    if (order === undefined || order.kid !== signed.kid)
      return this.#refuse(response, 404, 'malformed')
    if (what === 'order') return this.#send(response, 200, this.#orderOf(order))
    if (what === 'authorization') return this.#send(response, 200, this.#authorizationOf(order))
    if (what === 'challenge') return this.#challenge(order, kind, response)
    if (what === 'finalize') return this.#finalize(order, signed, response)
    response.setHeader('content-type', 'application/pem-certificate-chain')
    return response.end(`${order.chain}\n${this.#authority.root}\n`)
  }

  #directory() {
    const at = (path: string) => `${this.base}/${path}`
    return {
      ...{ newNonce: at('nonce'), newAccount: at('account'), newOrder: at('order') },
      ...{ revokeCert: at('revoke'), keyChange: at('key-change') },
      ...(this.state.window !== null && { renewalInfo: at('renewal') }),
    }
  }

  #newNonce(): string {
    const nonce = randomBytes(12).toString('base64url')
    this.#nonces.add(nonce)
    return nonce
  }

  #isMoody(name: string, response: ServerResponse): boolean {
    const mood = this.state.moods.get(name)
    if (mood === undefined) return false
    if (mood === 'err') response.writeHead(500).end('<html>down</html>')
    if (mood === 'garbage') response.end('{"status": 7, '.repeat(50_000))
    if (mood === 'limit') {
      response.setHeader('retry-after', String(this.state.retryAfterSeconds))
      this.#refuse(response, 429, 'rateLimited', `too many for ${name}`)
    }
    return true
  }

  #whyRefused(signed: SignedRequest, path: string): string | null {
    this.#spent += 1
    const { badNonceEvery } = this.state
    const isUnlucky = badNonceEvery > 0 && this.#spent % badNonceEvery === 0
    if (!this.#nonces.delete(signed.nonce) || isUnlucky) {
      this.state.refusedNonces += 1
      return 'badNonce'
    }
    if (signed.url !== this.base + path) return 'unauthorized'
    const jwk = signed.kid === null ? signed.jwk : this.#accounts.get(signed.kid)
    if (jwk === null || jwk === undefined) return 'accountDoesNotExist'
    return signed.isSignedBy(publicKeyOf(jwk)) ? null : 'malformed'
  }

  #account({ jwk, payload }: SignedRequest, response: ServerResponse): unknown {
    if (jwk === null || payload?.termsOfServiceAgreed !== true)
      return this.#refuse(response, 403, 'userActionRequired')
    const kid = `${this.base}/accounts/${thumbprintOf(jwk)}`
    const isNew = !this.#accounts.has(kid)
    this.#accounts.set(kid, jwk)
    response.setHeader('location', kid)
    return this.#send(response, isNew ? 201 : 200, { status: 'valid' })
  }

  #place({ kid, payload }: SignedRequest, response: ServerResponse): unknown {
    const [identifier] = (payload?.identifiers ?? []) as { value: string }[]
    const name = identifier?.value ?? ''
    this.state.orders.push({ name, replaces: (payload?.replaces as string | undefined) ?? null })
    if (this.#isMoody(name, response)) return null
    const id = randomBytes(8).toString('hex')
    const token = randomBytes(24).toString('base64url')
    const order: Order = {
      ...{
        id,
        name,
        kid: kid ?? '',
        status: 'pending',
        token,
        fault: null,
        kind: null,
        chain: null,
      },
    }
    this.#orders.set(id, order)
    response.setHeader('location', `${this.base}/order/${id}`)
    return this.#send(response, 201, this.#orderOf(order))
  }

  #orderOf({ id, status, fault, chain, name }: Order) {
    return {
      ...{ status, identifiers: [{ type: 'dns', value: name }] },
      authorizations: [`${this.base}/authorization/${id}`],
      finalize: `${this.base}/finalize/${id}`,
      ...(chain !== null && { certificate: `${this.base}/certificate/${id}` }),
      ...(fault !== null && { error: fault }),
    }
  }

  #authorizationOf({ id, name, status, token, fault, kind }: Order) {
    const statusOfName = { pending: 'pending', invalid: 'invalid' }[status] ?? 'valid'
    return {
      ...{ identifier: { type: 'dns', value: name }, status: statusOfName },
      challenges: this.state.offers.map((type) => ({
        ...{ type, token, url: `${this.base}/challenge/${id}/${type}`, status: statusOfName },
        ...(fault !== null && type === kind && { error: fault }),
      })),
    }
  }

  /** The name is looked at after the answer, as it takes time elsewhere. */
  #challenge(order: Order, kind: string, response: ServerResponse): unknown {
    const jwk = this.#accounts.get(order.kid)
    const keyAuthorization = `${order.token}.${jwk === undefined ? '' : thumbprintOf(jwk)}`
    const { http, tls } = this.state.ports
    order.kind = kind
    this.#send(response, 200, { type: kind, status: 'processing', token: order.token, url: '' })
    const judging =
      kind === 'http-01'
        ? validateHttp(order.name, order.token, keyAuthorization, http)
        : validateTls(order.name, keyAuthorization, tls)
    return judging.then((fault) => {
      order.fault = fault
      order.status = fault === null ? 'ready' : 'invalid'
    })
  }

  #finalize(order: Order, { payload }: SignedRequest, response: ServerResponse): unknown {
    if (order.status !== 'ready') return this.#refuse(response, 403, 'orderNotReady')
    const spki = keyInRequest(Buffer.from(String(payload?.csr), 'base64url'), order.name)
    if (spki === null) return this.#refuse(response, 400, 'badCSR')
    const now = this.#now()
    const from = new Date(now.getTime() - 60_000)
    const until = new Date(now.getTime() + this.state.validDays * DAY_MS)
    order.chain = this.#authority.issue(spki, order.name, { from, until })
    order.status = 'valid'
    this.state.issued += 1
    return this.#send(response, 200, this.#orderOf(order))
  }

  #revoke({ payload }: SignedRequest, response: ServerResponse): unknown {
    const { serialNumber } = new X509Certificate(
      Buffer.from(String(payload?.certificate), 'base64url'),
    )
    if (this.state.revoked.includes(serialNumber))
      return this.#refuse(response, 400, 'alreadyRevoked')
    this.state.revoked.push(serialNumber)
    return response.end()
  }

  #tellWindow(path: string, response: ServerResponse): unknown {
    const isKnown = [...this.#orders.values()].some(
      ({ chain }) => chain !== null && path === `/renewal/${renewalId(chain)}`,
    )
    if (!isKnown || this.state.window === null) return this.#refuse(response, 404, 'malformed')
    response.setHeader('retry-after', '21600')
    return this.#send(response, 200, { suggestedWindow: this.state.window })
  }

  #send(response: ServerResponse, status: number, body: object | null): unknown {
    response.writeHead(status, { 'content-type': 'application/json' })
    return response.end(body === null ? '' : JSON.stringify(body))
  }

  #refuse(response: ServerResponse, status: number, type: string, detail = ''): unknown {
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    return response.end(
      JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail, status }),
    )
  }
}
