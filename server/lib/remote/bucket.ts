/** A bucket of an object store with the interface of S3: signature V4, path style. Objects are written whole, and never appended to. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { reasonOf } from '../ports/bound-ports.ts'
import { backoff } from '../wait.ts'
import { BUCKET_URL, readBucketUrl } from './bucket-url.ts'

export type Bucket = {
  /** For people: without a password. */
  title: string
  /** Durable when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** null: there is no such object. Fewer bytes than asked for when the object ends before. */
  get(key: string, range?: { start: number; end: number }): Promise<Buffer | null>
  /** In the order of the keys, from the first one after `after`. */
  list(prefix: string, after?: string): AsyncIterable<ListedObject>
  /** Also when there is no such object. */
  remove(key: string): Promise<void>
}

export type ListedObject = { key: string; size: number; writtenAt: Date }

/** The store could not do it, whatever the object. */
export class BucketTrouble extends Error {
  override name = 'BucketTrouble'
}

export type BucketOptions = {
  /** A request is tried again for this long. */
  tryMs?: number
  /** A slower way to the store is as good as none: it bounds the time of a request. */
  leastBytesPerSecond?: Least
}

type Least = { up: number; down: number }

/** Many lines carry far less up than down, and several uploads share one. */
const LEAST: Least = { up: 100_000, down: 1_000_000 }

/** @throws BucketTrouble for a text that names no bucket */
export const openBucket = (
  text: string,
  { tryMs = 5_000, leastBytesPerSecond = LEAST }: BucketOptions = {},
): Bucket => {
  const at = readBucketUrl(text)
  if (at === null) throw new BucketTrouble(`a bucket is named like this: ${BUCKET_URL}`)
  const { folder, title } = at
  const clientFor = (answerMs: number) =>
    new S3mini({
      ...{ accessKeyId: at.key, secretAccessKey: at.secret },
      ...{ endpoint: at.endpoint, region: at.region },
      fetch: fetchInTime(answerMs, leastBytesPerSecond),
    })
  const [client, hasty] = [clientFor(ANSWER_MS), clientFor(FIRST_READ_MS)]
  const keyOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const nameOf = (key: string) => (folder === '' ? key : key.slice(folder.length + 1))
  const again = <T>(act: (tries: number) => Promise<T>) => tryAgain(act, tryMs)
  return {
    title,
    put: (key, bytes) => again(() => put(client, keyOf(key), bytes)),
    get: (key, range) => again((tries) => get(tries === 1 ? hasty : client, keyOf(key), range)),
    async *list(prefix, after = '') {
      let token: string | undefined
      do {
        const start = after === '' ? {} : { 'start-after': keyOf(after) }
        const page = await again(async () => {
          const found = await client.listObjectsPaged('/', keyOf(prefix), LISTED, token, start)
          if (!found) throw new BucketTrouble('there is no such bucket')
          return found
        })
        for (const { Key, Size, LastModified } of page.objects ?? [])
          yield { key: nameOf(Key), size: Number(Size), writtenAt: new Date(LastModified) }
        token = page.nextContinuationToken
      } while (token !== undefined)
    },
    remove: (key) =>
      again(async () => {
        await client.deleteObject(keyOf(key))
      }),
  }
}

const LISTED = 1_000

const put = async (client: S3mini, key: string, bytes: Uint8Array): Promise<void> => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // s3mini signs the headers and not the body: by this the store notices a changed one.
  const md5 = createHash('md5').update(body).digest()
  const headers = { 'content-md5': md5.toString('base64') } as Record<`x-amz-${string}`, string>
  const answer = await client.putObject(key, body, undefined, undefined, headers)
  await answer.body?.cancel()
  const tag = answer.headers.get('etag')?.replaceAll('"', '') ?? ''
  if (isMd5(tag, answer.headers) && tag !== md5.toString('hex'))
    throw new BucketTrouble('it has kept other bytes than were sent')
}

/** With keys of the customer's an ETag is something else. */
const isMd5 = (tag: string, headers: Headers): boolean =>
  /^[0-9a-f]{32}$/.test(tag) &&
  ['', 'AES256'].includes(headers.get('x-amz-server-side-encryption') ?? '') &&
  !headers.has('x-amz-server-side-encryption-customer-algorithm')

const NOTHING = Buffer.alloc(0)

const get = async (
  client: S3mini,
  key: string,
  range: { start: number; end: number } | undefined,
): Promise<Buffer | null> => {
  try {
    const answer =
      range === undefined
        ? await client.getObjectRaw(key)
        : await client.getObjectRaw(key, false, range.start, range.end)
    const bytes = Buffer.from(await answer.arrayBuffer())
    // A store without ranges answers with all of it.
    const isWhole = range !== undefined && answer.status === 200
    return isWhole ? bytes.subarray(range.start, range.end) : bytes
  } catch (error) {
    if (!(error instanceof S3ServiceError)) throw error
    if (error.status === 404 && error.serviceCode !== 'NoSuchBucket') return null
    // The object ends before the range begins.
    if (error.status === 416) return NOTHING
    throw error
  }
}

const ANSWER_MS = 5_000
/** A connection over which nothing comes any more looks like a slow store: what is read is soon asked for over another one. */
const FIRST_READ_MS = 1_500

/** A request ends in a time that grows with its bytes. */
const fetchInTime =
  (answerMs: number, least: Least): typeof fetch =>
  (input, init) => {
    const [, start, end] =
      /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('range') ?? '') ?? []
    const { body } = init ?? {}
    const sent = body instanceof Uint8Array ? body.length : 0
    const asked = end === undefined ? WHOLE_BYTES : Number(end) - Number(start)
    const seconds = sent > 0 ? sent / least.up : asked / least.down
    return fetch(input, {
      ...init,
      signal: AbortSignal.timeout(Math.ceil(answerMs + seconds * 1_000)),
    })
  }

/** Of an object whose size we do not know. */
const WHOLE_BYTES = 50_000_000

const tryAgain = async <T>(act: (tries: number) => Promise<T>, tryMs: number): Promise<T> => {
  const until = Date.now() + tryMs
  for (let tries = 1; ; tries++) {
    try {
      return await act(tries)
    } catch (error) {
      const waitMs = backoff(tries, { first: 100, longest: 2_000, factor: 3 })
      if (isRefused(error) || Date.now() + waitMs > until) throw troubleOf(error)
      await wait(waitMs)
    }
  }
}

/** Another try would be refused as well. */
const isRefused = (error: unknown): boolean =>
  error instanceof S3ServiceError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![408, 429].includes(error.status) &&
  // Of bytes that were changed on their way.
  error.serviceCode !== 'BadDigest'

const troubleOf = (error: unknown): BucketTrouble =>
  error instanceof BucketTrouble ? error : new BucketTrouble(wordsOf(error), { cause: error })

const wordsOf = (error: unknown): string => {
  if (!(error instanceof S3ServiceError)) return networkWords(error)
  switch (error.serviceCode) {
    case 'NoSuchBucket':
      return 'there is no such bucket'
    case 'RequestTimeTooSkewed':
      return 'its clock and the clock of this machine differ'
    default:
      return error.status === 403
        ? `it refuses the key or the secret (${error.serviceCode})`
        : `it answers ${error.status} ${error.serviceCode}`
  }
}

/** What the system said is in the cause of `fetch failed`. */
const networkWords = (error: unknown): string => {
  if ((error as Error).name === 'TimeoutError') return 'it does not answer in time'
  const cause = (error as Error).cause
  return cause instanceof Error ? reasonOf(cause) : reasonOf(error)
}
