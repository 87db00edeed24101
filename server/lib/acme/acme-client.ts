/**
 * A client of an ACME directory (RFC 8555): signs requests, keeps nonces, and turns refusals into `AcmeTrouble`. It knows nothing of
 * names and certificates; `order-certificate.ts` does.
 */
import { z } from 'zod'
import type { AccountKey } from './account-key.ts'
import { AcmeTrouble, retryAfterOf, troubleOf } from './acme-trouble.ts'
import { type AcmeAnswer, type AcmeNetwork, askDirectory } from './ask-directory.ts'

const directory = z.object({
  newNonce: z.string(),
  newAccount: z.string(),
  newOrder: z.string(),
  revokeCert: z.string().optional(),
  /** RFC 9773. */
  renewalInfo: z.string().optional(),
})

export type Directory = z.infer<typeof directory>

export type AcmeClient = {
  thumbprint: string
  directory(): Promise<Directory>
  /** A POST of the account; null reads. @throws AcmeTrouble for every status but 2xx */
  post(url: string, payload: object | null): Promise<AcmeAnswer>
  /** Without an account. @throws AcmeTrouble for every status but 200 */
  get(url: string): Promise<AcmeAnswer>
  /** Makes the account of the key, or finds it. @returns its URL */
  register(email: string | null): Promise<string>
}

/** A directory with several servers knows a nonce at one of them. */
const NONCE_TRIES = 8
const MAX_NONCES = 10

/** `accountUrl`: null before `register`. `signal` ends whatever is under way. */
export const openAcmeClient = (
  network: AcmeNetwork,
  key: AccountKey,
  given: { accountUrl: string | null; signal: AbortSignal },
): AcmeClient => {
  const { signal } = given
  let { accountUrl } = given
  let known: Promise<Directory> | null = null
  const nonces = keptNonces()

  const directoryOf = () => {
    known ??= get(network.directoryUrl).then(directoryIn)
    return known
  }
  const get = async (url: string): Promise<AcmeAnswer> => {
    const answer = await askDirectory(network, { method: 'GET', url }, signal)
    if (answer.status !== 200) throw refusalOf(answer)
    return answer
  }
  const newNonce = async (): Promise<string> => {
    const waiting = nonces.take()
    if (waiting !== undefined) return waiting
    const { newNonce: url } = await directoryOf()
    const answer = await askDirectory(network, { method: 'HEAD', url }, signal)
    nonces.keep(answer)
    return nonces.take() ?? refuseWithout(answer)
  }
  const post = async (
    url: string,
    payload: object | null,
    account: string | null,
  ): Promise<AcmeAnswer> => {
    for (let tries = 1; ; tries++) {
      const body = key.signed({ url, nonce: await newNonce(), account }, payload)
      const answer = await askDirectory(network, { method: 'POST', url, body }, signal)
      nonces.keep(answer)
      if (answer.status >= 200 && answer.status < 300) return answer
      const trouble = refusalOf(answer)
      if (trouble.type !== 'badNonce' || tries === NONCE_TRIES) throw trouble
    }
  }
  return {
    thumbprint: key.thumbprint,
    directory: directoryOf,
    get,
    post: (url, payload) => {
      if (accountUrl === null) throw new Error('there is no account yet')
      return post(url, payload, accountUrl)
    },
    register: async (email) => {
      const { newAccount } = await directoryOf()
      const contact = email === null ? [] : [`mailto:${email}`]
      const { headers } = await post(newAccount, { termsOfServiceAgreed: true, contact }, null)
      if (headers.location === undefined) throw new AcmeTrouble('The directory made no account.')
      accountUrl = headers.location
      return accountUrl
    },
  }
}

const directoryIn = (answer: AcmeAnswer): Directory => {
  const { data } = directory.safeParse(jsonOf(answer))
  if (data === undefined) throw new AcmeTrouble('ACME_DIRECTORY leads to no ACME directory.')
  return data
}

const keptNonces = () => {
  const nonces: string[] = []
  return {
    keep: ({ headers }: AcmeAnswer): void => {
      const nonce = headers['replay-nonce']
      if (typeof nonce === 'string' && nonces.length < MAX_NONCES) nonces.push(nonce)
    },
    take: (): string | undefined => nonces.pop(),
  }
}

const refuseWithout = (answer: AcmeAnswer): never => {
  throw answer.status > 299 ? refusalOf(answer) : new AcmeTrouble('The directory gave no nonce.')
}

const refusalOf = (answer: AcmeAnswer): AcmeTrouble =>
  troubleOf(jsonOf(answer), answer.status, retryAfterOf(answer.headers))

/** undefined when it is none. */
export const jsonOf = ({ body }: AcmeAnswer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** @throws AcmeTrouble when the answer is not what the RFC says */
export const readAnswer = <T>(shape: z.ZodType<T>, answer: AcmeAnswer): T => {
  const { data } = shape.safeParse(jsonOf(answer))
  if (data === undefined) throw new AcmeTrouble('The directory answered what nobody can read.')
  return data
}
