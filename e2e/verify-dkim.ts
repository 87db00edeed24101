/** Haraka's DKIM verifier: none of its code signed the mail. It asks the story's DNS over a socket. */
import { promises as dns } from 'node:dns'
import { createRequire } from 'node:module'
import type { TestDns } from '#test-world/dns/dns-server.ts'

type Verified = { domain: string; selector: string; result: string; error?: string }
type Verifier = {
  end(raw: Buffer): void
}
type HarakaDkim = {
  DKIMObject: { prototype: { debug: (text: string) => void } }
  DKIMVerifyStream: {
    new (
      options: object,
      done: (error: Error | null, result: string, results: Verified[]) => void,
    ): Verifier
    prototype: { debug: (text: string) => void }
  }
}

const haraka = createRequire(import.meta.url)('haraka-plugin-dkim/lib/dkim.js') as HarakaDkim
haraka.DKIMObject.prototype.debug = () => {}
haraka.DKIMVerifyStream.prototype.debug = () => {}

export const verifyDkim = (raw: Buffer, world: TestDns): Promise<Verified[]> => {
  dns.setServers([world.address])
  return new Promise((resolve, reject) => {
    const verifier = new haraka.DKIMVerifyStream({}, (error, _result, results) =>
      error ? reject(error) : resolve(results),
    )
    verifier.end(raw)
  })
}
