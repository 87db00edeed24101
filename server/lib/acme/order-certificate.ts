/** Orders the certificate of one name (RFC 8555 section 7.4): proves the name, hands in the request, fetches the chain. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { newKeyPem } from './account-key.ts'
import { type AcmeClient, readAnswer } from './acme-client.ts'
import { AcmeTrouble, retryAfterOf, troubleOf } from './acme-trouble.ts'
import type { AcmeAnswer } from './ask-directory.ts'
import { certificateRequest } from './certificate-request.ts'
import type { ChallengeAnswer, ChallengeKind } from './challenges.ts'

const order = z.object({
  status: z.string(),
  authorizations: z.array(z.string()).length(1),
  finalize: z.string(),
  certificate: z.string().optional(),
  error: z.unknown().optional(),
})
const challenge = z.object({
  type: z.string(),
  url: z.string(),
  token: z.string().optional(),
  error: z.unknown().optional(),
})
const authorization = z.object({ status: z.string(), challenges: z.array(challenge).max(20) })

export type Ordering = {
  name: string
  /** By preference; the directory may not offer each. */
  kinds: readonly ChallengeKind[]
  /** The certificate that this one follows (RFC 9773 section 5); null: none. */
  replaces: string | null
  /** Makes the answer known to whom the directory will ask. */
  publish: (answer: ChallengeAnswer) => Promise<void>
  signal: AbortSignal
}

/** Both in PEM; the chain without the root. */
export type Issued = { chain: string; key: string }

/** @throws AcmeTrouble */
export const orderCertificate = async (client: AcmeClient, asked: Ordering): Promise<Issued> => {
  const { url, first } = await placeOrder(client, asked)
  for (const at of first.authorizations) await prove(client, at, asked)
  const read = async () => client.post(url, null)
  const isWaiting = ({ status }: z.infer<typeof order>) =>
    status === 'pending' || status === 'processing'
  const ready = await settled(read, order, isWaiting, asked.signal)
  if (ready.status === 'invalid') throw troubleOf(ready.error, null)
  const key = newKeyPem()
  const csr = certificateRequest(asked.name, createPrivateKey(key)).toString('base64url')
  if (ready.status !== 'ready')
    throw new AcmeTrouble(`The directory left the order ${ready.status}.`)
  await client.post(ready.finalize, { csr })
  const isUnissued = (now: z.infer<typeof order>) => isWaiting(now) || now.status === 'ready'
  const done = await settled(read, order, isUnissued, asked.signal)
  if (done.status !== 'valid' || done.certificate === undefined) throw troubleOf(done.error, null)
  const chain = (await client.post(done.certificate, null)).body.toString('utf8').trim()
  checkChain(chain, key, asked.name)
  return { chain, key }
}

const placeOrder = async (client: AcmeClient, { name, replaces }: Ordering) => {
  const { newOrder, renewalInfo } = await client.directory()
  const identifiers = [{ type: 'dns', value: name }]
  const ask = (more: object) => client.post(newOrder, { identifiers, ...more })
  const isReplacing = replaces !== null && renewalInfo !== undefined
  const answer = await (isReplacing
    ? ask({ replaces }).catch((error: unknown) => {
        // It was replaced before, or is of another directory.
        const isRefused =
          error instanceof AcmeTrouble && ['alreadyReplaced', 'malformed'].includes(error.type)
        if (!isRefused) throw error
        return ask({})
      })
    : ask({}))
  const url = answer.headers.location
  if (url === undefined) throw new AcmeTrouble('The directory made no order.')
  return { url, first: readAnswer(order, answer) }
}

const prove = async (client: AcmeClient, url: string, asked: Ordering): Promise<void> => {
  const found = readAnswer(authorization, await client.post(url, null))
  if (found.status === 'valid') return
  const chosen = asked.kinds
    .map((kind) => found.challenges.find(({ type }) => type === kind))
    .find((one) => one !== undefined)
  const token = chosen?.token
  if (chosen === undefined || token === undefined)
    throw new AcmeTrouble(`The directory offers no proof by ${asked.kinds.join(' or ')}.`)
  const keyAuthorization = `${token}.${client.thumbprint}`
  await asked.publish({ name: asked.name, token, keyAuthorization })
  await client.post(chosen.url, {})
  const read = () => client.post(url, null)
  const isWaiting = ({ status }: z.infer<typeof authorization>) => status === 'pending'
  const judged = await settled(read, authorization, isWaiting, asked.signal)
  if (judged.status === 'valid') return
  throw troubleOf(judged.challenges.find(({ error }) => error !== undefined)?.error, null)
}

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

/** Reads until it waits no more; `signal` bounds it. */
const settled = async <T>(
  read: () => Promise<AcmeAnswer>,
  shape: z.ZodType<T>,
  isWaiting: (found: T) => boolean,
  signal: AbortSignal,
): Promise<T> => {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const answer = await read()
    const found = readAnswer(shape, answer)
    if (!isWaiting(found)) return found
    const toldMs = (retryAfterOf(answer.headers) ?? 0) * 1000
    await wait(Math.max(waitMs, toldMs), undefined, { signal }).catch(() => {
      throw new AcmeTrouble('The directory took too long to judge.')
    })
  }
}

const checkChain = (chain: string, key: string, name: string): void => {
  try {
    const leaf = new X509Certificate(chain)
    if (leaf.checkPrivateKey(createPrivateKey(key)) && leaf.checkHost(name) !== undefined) return
  } catch {
    // Not a certificate at all.
  }
  throw new AcmeTrouble('The directory issued what is no certificate for the name.')
}
