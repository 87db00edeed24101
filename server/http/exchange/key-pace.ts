/**
 * How often programs may call with API keys, and the headers that tell them (draft-ietf-httpapi-ratelimit-headers). One runaway program
 * leaves room for its workspace, and one workspace for the others. Counted in memory: each process has these limits (decision 121).
 */
import type { FastifyReply } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

export type KeyLimits = { perMinuteOfKey: number; perMinuteOfWorkspace: number }

const USUAL: KeyLimits = { perMinuteOfKey: 600, perMinuteOfWorkspace: 1200 }
const WINDOW_SECONDS = 60

export type KeyPace = {
  /** Counts a request. @throws TOO_MANY_REQUESTS */
  spend(caller: { keyId: string; workspaceId: string }, reply: FastifyReply): void
}

/** All of the quota may be used at once; it comes back evenly. */
export const openKeyPace = ({
  perMinuteOfKey,
  perMinuteOfWorkspace,
}: KeyLimits = USUAL): KeyPace => {
  const policies = [
    openPolicy('key', perMinuteOfKey, (caller) => caller.keyId),
    openPolicy('workspace', perMinuteOfWorkspace, (caller) => caller.workspaceId),
  ]
  const policyHeader = policies
    .map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_SECONDS}`)
    .join(', ')
  return {
    spend: (caller, reply) => {
      const waitSeconds = Math.max(...policies.map((policy) => policy.waitSeconds(caller)))
      // A refused request uses nothing up.
      if (waitSeconds === 0) for (const policy of policies) policy.add(caller)
      reply.header('ratelimit-policy', policyHeader)
      reply.header('ratelimit', policies.map((policy) => policy.state(caller)).join(', '))
      if (waitSeconds > 0)
        throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
    },
  }
}

type Caller = Parameters<KeyPace['spend']>[0]

const openPolicy = (name: string, quota: number, keyOf: (caller: Caller) => string) => {
  const perSecond = quota / WINDOW_SECONDS
  const used = openLevels({ fallsPerSecond: perSecond })
  return {
    ...{ name, quota },
    waitSeconds: (caller: Caller): number =>
      Math.max(0, Math.ceil((used.of(keyOf(caller)) + 1 - quota) / perSecond)),
    add: (caller: Caller) => used.add(keyOf(caller), 1),
    /** `r`: requests left; `t`: seconds until all are back. */
    state: (caller: Caller): string => {
      const level = used.of(keyOf(caller))
      return `"${name}";r=${Math.max(0, Math.floor(quota - level))};t=${Math.ceil(level / perSecond)}`
    },
  }
}
