/** A foreign web server on loopback: pictures, and answers that attack the client. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** 10 × 10 pixels in one colour. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>top.pwned=1</script></svg>'

export type HostileWeb = {
  url: string
  port: number
  /** The URL and header of every request. */
  seen: { url: string; headers: IncomingMessage['headers'] }[]
  connections(): number
  close(): Promise<void>
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const send =
  (type: string, body: Buffer | string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)
  }

const moveTo =
  (location: string): Answer =>
  (response) => {
    response.writeHead(302, { location }).end('<script>top.pwned=1</script>')
  }

/** Sends data without end, as fast as the client reads. */
const pour = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(65_536, 7)
  const go = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', go)
  go()
}

const bomb = gzipSync(Buffer.alloc(50_000_000))

const answers: Record<string, Answer> = {
  '/picture.png': send('image/png', PNG, { 'set-cookie': 'reader=7; Path=/' }),
  '/named-otherwise.png': send('text/html', PNG),
  '/page.png': send('image/png', '<!doctype html><script>top.pwned=1</script>'),
  '/vector.png': send('image/png', SVG),
  '/vector.svg': send('image/svg+xml', SVG),
  '/empty.png': send('image/png', ''),
  '/missing.png': (response) => void response.writeHead(404).end(),
  '/moved.png': moveTo('/picture.png'),
  '/round.png': moveTo('/round.png'),
  '/to-file.png': moveTo('file:///etc/passwd'),
  '/to-metadata.png': moveTo('http://169.254.169.254/latest/meta-data/'),
  '/to-metadata-hex.png': moveTo('http://0xa9fea9fe/latest/meta-data/'),
  '/to-mapped.png': moveTo('http://[::ffff:169.254.169.254]/'),
  '/to-everywhere.png': moveTo('http://0.0.0.0/'),
  '/endless.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG)
    pour(response)
  },
  '/said-large.png': (response) => {
    response.writeHead(200, { 'content-length': '99999999999' }).write(PNG)
  },
  '/silent.png': () => {},
  '/stalled.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG)
  },
  '/huge-header.png': (response) => {
    response.writeHead(200, { 'x-much': 'x'.repeat(100_000) }).end(PNG)
  },
  '/bomb.png': send('image/png', bomb, { 'content-encoding': 'gzip' }),
  '/garbage.png': (response) => {
    response.socket?.end('this is no HTTP\r\n\r\n')
  },
  '/other-protocol.png': (response) => {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end()
  },
  '/broken-off.png': (response) => {
    response.writeHead(200, { 'content-length': '500' }).write(PNG, () => response.destroy())
  },
}

/** `more`: further answers by path; any other path returns a picture. */
export const aHostileWeb = async (more: Record<string, Answer> = {}): Promise<HostileWeb> => {
  const all = { ...answers, ...more }
  const seen: HostileWeb['seen'] = []
  let connections = 0
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    seen.push({ url, headers: request.headers })
    const answer = all[url.split('?')[0] ?? ''] ?? send('image/png', PNG)
    answer(response, request)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, seen },
    connections: () => connections,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
