/** A user of the running product who uses only its API: signs up with a mailed link. */
import { setTimeout as wait } from 'node:timers/promises'
import type { DnsRecord, Domain } from '#contract/domains.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Product } from '../product.ts'

export const PASSWORD = 'Engine-No-1!'
const MOST_TRIES = 20

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route
  body: any
}

export type Account = {
  email: string
  /** Paths are below /api/v1; a Blob is sent as it is. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Like `call`. @throws unless the answer is a success */
  ask(method: string, path: string, body?: unknown): Promise<Answer['body']>
  bytes(path: string): Promise<Buffer>
  /** Gets a new token, after a restart or when the old one has expired. */
  logIn(): Promise<void>
}

type World = Pick<Product, 'url' | 'mailTo' | 'dns'>

const typeOf = (body: unknown): string =>
  body instanceof Blob ? 'application/octet-stream' : 'application/json'

/** The product's peer must receive mail for the address. */
export const anAccount = async (product: World, email: string): Promise<Account> => {
  let token: string | null = null
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${product.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    })
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await send(method, path, body)
    return { status: response.status, body: await response.json() }
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  await ask('POST', '/auth/register', {
    ...{ firstName: 'Ada', lastName: 'Lovelace', email },
    ...{ password: PASSWORD, confirmPassword: PASSWORD, termsAccepted: true },
  })
  const link = await mailedLink(product, email)
  const session = link.searchParams.get('token')
  token = (await ask('POST', '/auth/verify-email', { session })).token
  return {
    email,
    call,
    ask,
    bytes: async (path) => {
      const response = await send('GET', path)
      if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
    logIn: async () => {
      token = null
      const given = { email, password: PASSWORD }
      // Just started, on a busy machine: a client that gets 503 tries again.
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if ((await call('POST', '/auth/login', given)).status !== 503) break
        await wait(1_000)
      }
      token = (await ask('POST', '/auth/login', given)).token
    },
  }
}

/** The link on a line of its own, in the mail number `count` to this address. */
export const mailedLink = async (
  product: Pick<World, 'mailTo'>,
  address: string,
  count = 1,
): Promise<URL> => {
  const { email } = await product.mailTo(address, count)
  const line = email.text?.split('\n').find((each) => /^https?:\S+\s*$/.test(each))
  if (line === undefined) throw new Error(`no link was mailed to ${address}: ${email.text}`)
  return new URL(line.trim())
}

/** Adds the domain, publishes its records in the test zone, and verifies it. */
export const anActiveDomain = async (
  product: World,
  account: Account,
  name: string,
): Promise<Domain> => {
  const domain: Domain = await account.ask('POST', '/domains', { name })
  product.dns.zone(name)
  const ownership: DnsRecord = await account.ask('GET', `/dns-records/ownership/${domain._id}`)
  publish(product, [ownership])
  await account.ask('POST', `/dns-records/verify-ownership/${domain._id}`)
  publish(product, await account.ask('GET', `/dns-records/dns/${domain._id}`))
  await account.ask('POST', `/dns-records/verify-dns/${domain._id}`)
  const now: Domain = await account.ask('GET', `/domains/${domain._id}`)
  if (now.status !== 'active') throw new Error(`${name} is not active: ${JSON.stringify(now)}`)
  return now
}

/** Publishes all values of one name and type together. */
export const publish = ({ dns }: Pick<World, 'dns'>, records: DnsRecord[]): void => {
  for (const [{ name, type }, values] of setsOf(records)) dns.set(name, type, values)
}

const setsOf = (records: DnsRecord[]): [DnsRecord, string[]][] =>
  records
    .filter((record, at) => records.findIndex((each) => isSameSet(each, record)) === at)
    .map((record) => [record, records.filter((each) => isSameSet(each, record)).map(zoneValueOf)])

const isSameSet = (a: DnsRecord, b: DnsRecord): boolean => a.name === b.name && a.type === b.type

const zoneValueOf = ({ value, priority }: DnsRecord): string =>
  priority === null ? value : `${priority} ${value}`

export const aMailboxAt = (account: Account, domain: Domain, localPart: string): Promise<Mailbox> =>
  account.ask('POST', '/mailboxes', {
    ...{ firstName: 'Ada', lastName: 'Lovelace' },
    ...{ email: `${localPart}@${domain.name}`, domain: domain.name },
  })
