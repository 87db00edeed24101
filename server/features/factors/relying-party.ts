/** Whom passkeys are made for: the host of PUBLIC_URL (WebAuthn Level 3 §5.1.2). */
import { isIP } from 'node:net'
import type { App } from '#server/app.ts'

type Site = { config: Pick<App['config'], 'publicUrl'> }

export const rpIdOf = ({ config }: Site): string =>
  new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '')

export const originOf = ({ config }: Site): string => new URL(config.publicUrl).origin

/** Browsers make none for an address of numbers. */
export const canHavePasskeys = (site: Site): boolean => isIP(rpIdOf(site)) === 0
