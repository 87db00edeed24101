/**
 * The domain that was typed or pasted: without what an address bar puts around it. Whatever else is no domain stays, and
 * is refused: a path or an e-mail address is often somebody else's domain.
 */
export const typedDomain = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
