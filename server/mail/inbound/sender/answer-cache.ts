/** DNS as mail libraries ask it; answers are kept for a few seconds, a no as well. */
import type { App } from '#server/app.ts'

/** mailauth's type has strings; for MX it accepts the result of dns.promises.resolve. */
export type Resolver = (name: string, type: string) => Promise<string[]>

export const answerCache =
  ({ dns, caches: { dnsAnswers } }: App): Resolver =>
  (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    const answer = dnsAnswers.get(key) ?? dns.resolve(name, type)
    if (dnsAnswers.get(key) === undefined) dnsAnswers.set(key, answer)
    return answer as Promise<string[]>
  }
