/** Fetches a policy as RFC 8461 §3.3 asks: over verified TLS, no redirect followed, and not much of it. */
import { type RequestOptions, request } from 'node:https'
import type { App } from '#server/app.ts'
import { guardedLookup } from '#server/lib/network-guard.ts'
import { parseStsPolicy, type StsPolicy } from '#server/standards/mta-sts.ts'

const MAX_BYTES = 64 * 1024
const WHOLE_MS = 20_000

/** @throws with the reason when there is no policy to be had. */
export const fetchStsPolicy = async (
  { dns, config }: Pick<App, 'dns' | 'config'>,
  domain: string,
  port: number,
): Promise<StsPolicy> => {
  const policy = parseStsPolicy(
    await get({
      host: `mta-sts.${domain}`,
      port,
      path: '/.well-known/mta-sts.txt',
      agent: false,
      lookup: guardedLookup(dns, config.allowLoopbackPeers),
      signal: AbortSignal.timeout(WHOLE_MS),
      headers: { accept: 'text/plain' },
    }),
  )
  if (policy === null) throw new Error('what is there is no policy')
  return policy
}

const get = (options: RequestOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const type = response.headers['content-type'] ?? ''
      const refuse = (why: string) => {
        asked.destroy()
        reject(new Error(why))
      }
      if (response.statusCode !== 200) return refuse(`it answered ${response.statusCode}`)
      // Others may be let put pages, but hardly plain text, on a web server (§3.2).
      if (!/^text\/plain\s*(;|$)/i.test(type)) return refuse(`it is '${type}' and no plain text`)
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) refuse('it is longer than 64 KB')
        else chunks.push(chunk)
      })
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
