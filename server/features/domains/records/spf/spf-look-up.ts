/** DNS as the evaluation of SPF, and the walk to a DMARC policy, ask it: through DNS_SERVERS, as receivers do. */
import type { App } from '#server/app.ts'
import type { SpfLookUp } from '#server/standards/dns-records/spf-check.ts'
import { valuesOf } from '../verdict.ts'

/** After `giveUpAtMs` it asks nothing more: an evaluation that nobody waits for comes to its end. */
export const spfLookUp =
  (app: App, giveUpAtMs = Number.POSITIVE_INFINITY): SpfLookUp =>
  async (name, type) => {
    if (Date.now() > giveUpAtMs) return { outcome: 'failed' }
    const answer = await app.dns.lookUp(name, type)
    const values = valuesOf(answer)
    if (values === null) return { outcome: 'failed' }
    return answer.outcome === 'found' ? { outcome: 'found', values } : { outcome: 'none' }
  }
