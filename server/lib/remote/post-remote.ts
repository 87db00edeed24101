/**
 * Posts to an address that a stranger chose, and reads the beginning of the answer. The network guard checks the address, no redirect
 * is followed, and a hostile server gets no more time or memory than the limits allow.
 */
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { allowedUrl, guarded, type Network, refuseUpgrade } from './get-remote.ts'

export type Posting = { body: string; headers: Readonly<Record<string, string>> }

/** `maxBytes`: so much of the answer is read; what follows is cut off. */
export type PostLimits = { wholeMs: number; maxBytes: number }

/** `trouble`: why there is no whole answer; '' else. `status`: null without an answer. */
export type PostAnswer = { status: number | null; answer: string; trouble: string }

/** Over https; over http only where loopback peers are allowed. Never throws: a server may do what it likes. */
export const postRemote = async (
  network: Network,
  address: string,
  posting: Posting,
  { wholeMs, maxBytes }: PostLimits,
): Promise<PostAnswer> => {
  const stop = AbortSignal.timeout(wholeMs)
  const got: PostAnswer = { status: null, answer: '', trouble: '' }
  try {
    const url = allowedUrl(network, address)
    if (url.protocol !== 'https:' && !network.allowLoopbackPeers)
      return { ...got, trouble: 'it is no https address' }
    const response = await ask(network, url, posting, stop)
    got.status = response.statusCode ?? 0
    await readStart(response, maxBytes, (text) => {
      got.answer = text
    })
    return got
  } catch (error) {
    return { ...got, trouble: stop.aborted ? 'it took too long' : (error as Error).message }
  }
}

const ask = (
  network: Network,
  url: URL,
  { body, headers }: Posting,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      ...guarded(network, signal),
      method: 'POST',
      headers: {
        ...headers,
        'content-length': Buffer.byteLength(body),
        // Without compression there is no decompression bomb.
        'accept-encoding': 'identity',
      },
    })
    asked.on('error', reject)
    refuseUpgrade(asked, reject)
    asked.on('response', resolve)
    asked.end(body)
  })

/** `onText` is called with what is there so far. @throws when the connection breaks before the end */
const readStart = async (
  response: IncomingMessage,
  maxBytes: number,
  onText: (text: string) => void,
): Promise<void> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop ends the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - bytes))
    bytes += chunk.length
    onText(Buffer.concat(chunks).toString('utf8'))
    if (bytes >= maxBytes) return
  }
}
