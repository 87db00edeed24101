/** Haraka's DKIM verifier: none of its code signed the mail. It asks the story's DNS over a socket. */
import { promises as dns } from 'node:dns'
import { DKIMObject, DKIMVerifyStream, type Verified } from 'haraka-plugin-dkim/lib/dkim.js'
import type { TestDns } from '#test-world/dns/dns-server.ts'

DKIMObject.prototype.debug = () => {}
DKIMVerifyStream.prototype.debug = () => {}

export const verifyDkim = (raw: Buffer, world: TestDns): Promise<Verified[]> => {
  dns.setServers([world.address])
  return new Promise((resolve, reject) => {
    const verifier = new DKIMVerifyStream({}, (error, _result, results) =>
      error ? reject(error) : resolve(results),
    )
    verifier.end(raw)
  })
}
