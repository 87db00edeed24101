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
  const objects = new Map<string, Buffer>()
  const buckets = new Set<string>()
  let server: Server
  let port = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    const url = new URL(request.url ?? '/', 'http://store')
    const path = decodeURIComponent(url.pathname).replace(/\/$/, '')
    const [, bucket = ''] = path.split('/')
    if (!isSigned(request, url, body))
      return response.writeHead(403).end(errorText('SignatureDoesNotMatch'))
    if (!buckets.has(bucket)) return response.writeHead(404).end(errorText('NoSuchBucket'))
    const found = objects.get(path)
    if (request.method === 'PUT') {
      objects.set(path, body)
      return response.writeHead(200, { etag: '"x"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return response.writeHead(204).end()
    }
    if (url.searchParams.has('list-type')) {
      const inBucket = [...objects.keys()].filter((name) => name.startsWith(`/${bucket}/`))
      const keys = inBucket.map((name) => name.slice(bucket.length + 2))
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(listText(keys, url.searchParams))
    }
    if (found === undefined) return response.writeHead(404).end(errorText('NoSuchKey'))
    return response.writeHead(200).end(found)
  }
  const start = async () => {
    server = createServer((request, response) => void answer(request, response))
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

const errorText = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

const listText = (keys: readonly string[], asked: URLSearchParams): string => {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? '']
  const all = keys.filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const shown = all.slice(0, LISTED_AT_ONCE)
  const contents = shown.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2026-11-27T00:00:00.000Z</LastModified><ETag>x</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  const isCut = shown.length < all.length
  const next = isCut ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><KeyCount>${shown.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()

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
