/** A store with the interface of S3, in this process. Like the real ones it checks the signature of each request (AWS Signature Version 4). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ObjectStore = {
  /** Of a bucket, or of a folder in it. */
  url(bucket: string, secret?: string): string
  makeBucket(bucket: string): Promise<void>
  /** It goes away, and comes back with what it had. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const [KEY, SECRET, REGION] = ['test:tester', 'testing', 'us-east-1']
/** As few as the smallest answers of real ones, so that lists come in parts. */
const LISTED_AT_ONCE = 7

export const anObjectStore = async (): Promise<ObjectStore> => {
  const objects = new Map<string, StoredObject>()
  const buckets = new Set<string>()
  let server: Server
  let port = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    const url = new URL(request.url ?? '/', 'http://store')
    const path = decodeURIComponent(url.pathname).replace(/\/$/, '')
    const [, bucket = ''] = path.split('/')
    if (isSkewed(String(request.headers['x-amz-date'])))
      return refuse(response, 403, 'RequestTimeTooSkewed')
    if (!isSigned(request, url, body)) return refuse(response, 403, 'SignatureDoesNotMatch')
    if (!buckets.has(bucket)) return refuse(response, 404, 'NoSuchBucket')
    const found = objects.get(path)
    if (request.method === 'PUT') {
      const md5 = createHash('md5').update(body).digest()
      const given = request.headers['content-md5']
      if (given !== undefined && given !== md5.toString('base64'))
        return refuse(response, 400, 'BadDigest')
      objects.set(path, { body, writtenAt: new Date() })
      return response.writeHead(200, { etag: `"${md5.toString('hex')}"` }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return response.writeHead(204).end()
    }
    if (url.searchParams.has('list-type')) {
      const inBucket = [...objects].filter(([name]) => name.startsWith(`/${bucket}/`))
      const listed = inBucket.map(([name, object]) => ({
        key: name.slice(bucket.length + 2),
        object,
      }))
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(listText(listed, url.searchParams))
    }
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    return answerPart(response, found.body, request.headers.range)
  }
  const start = async () => {
    server = createServer((request, response) => {
      void answer(request, response).catch(() => response.destroy())
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await start()
  return {
    url: (bucket, secret = SECRET) =>
      `s3://${encodeURIComponent(KEY)}:${secret}@127.0.0.1:${port}/${bucket}?region=${REGION}&tls=off`,
    makeBucket: async (bucket) => void buckets.add(bucket),
    ...{ start, stop, close: stop },
  }
}

/** All of it, or the part that the header `Range` asks for. */
const answerPart = (response: ServerResponse, body: Buffer, range: string | undefined) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (start === undefined) return response.writeHead(200).end(body)
  if (Number(start) >= body.length) return refuse(response, 416, 'InvalidRange')
  return response.writeHead(206).end(body.subarray(Number(start), Number(end) + 1))
}

type StoredObject = { body: Buffer; writtenAt: Date }

const refuse = (response: ServerResponse, status: number, code: string) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(errorText(code))

const errorText = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

type Listed = { key: string; object: StoredObject }

const listText = (listed: readonly Listed[], asked: URLSearchParams): string => {
  const prefix = asked.get('prefix') ?? ''
  const after = asked.get('continuation-token') ?? asked.get('start-after') ?? ''
  const all = listed
    .filter(({ key }) => key.startsWith(prefix) && key > after)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const shown = all.slice(0, LISTED_AT_ONCE)
  const contents = shown.map(
    ({ key, object }) =>
      `<Contents><Key>${key}</Key><LastModified>${object.writtenAt.toISOString()}</LastModified><ETag>x</ETag><Size>${object.body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  const isCut = shown.length < all.length
  const next = isCut ? `<NextContinuationToken>${shown.at(-1)?.key}</NextContinuationToken>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><KeyCount>${shown.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

const SKEW_MS = 15 * 60_000

/** The clock here is the one of the machine, whatever a test does with `Date`. */
const isSkewed = (date: string): boolean => {
  const at = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  return !(Math.abs(at - (performance.timeOrigin + performance.now())) <= SKEW_MS)
}

/** The signature is made of method, path, query, the signed headers and the body. */
const isSigned = (request: IncomingMessage, url: URL, body: Buffer): boolean => {
  const given = /Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})/.exec(
    request.headers.authorization ?? '',
  )
  const [, credential = '', signedHeaders = '', signature = ''] = given ?? []
  const [key, day = '', region = '', ...rest] = credential.split('/')
  if (key !== KEY || region !== REGION || rest.join('/') !== 's3/aws4_request') return false
  const hash = String(request.headers['x-amz-content-sha256'])
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const query = url.search.slice(1).split('&').toSorted().join('&')
  const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, hash]
  const scope = `${day}/${REGION}/s3/aws4_request`
  const at = String(request.headers['x-amz-date'])
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical.join('\n'))].join('\n')
  const parts = [day, REGION, 's3', 'aws4_request']
  const signing = parts.reduce<string | Buffer>((known, part) => hmac(known, part), `AWS4${SECRET}`)
  return timingSafeEqual(hmac(signing, text), Buffer.from(signature, 'hex'))
}
