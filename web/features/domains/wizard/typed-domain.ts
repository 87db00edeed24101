import { mayBecomeDomain } from '#contract/fields.ts'

/**
 * The domain that was typed or pasted: without what an address bar puts around it. Whatever else is no domain stays, and
 * is refused: a path or an e-mail address is often somebody else's domain.
 */
export const typedDomain = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')

/** No further typing can make a domain of it; `http:/` is on its way to what an address bar holds. */
export const isBeyondMending = (typed: string): boolean =>
  !isSchemeBegun(typed) && !mayBecomeDomain(typedDomain(typed))

const isSchemeBegun = (typed: string): boolean => /^https?:\/{0,2}$/i.test(typed.trimStart())
