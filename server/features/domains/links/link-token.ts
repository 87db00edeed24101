/**
 * The token of a link is made from its id and SECRET, so that whoever may manage domains can copy the link again while
 * the database keeps its hash alone.
 */
import type { App } from '#server/app.ts'

/** 256 bits, base64url. */
export const tokenOf = (app: App, id: string): string =>
  app.secrets.mac('dns-link', id).toString('base64url')

/** The token stands behind the #, which browsers send to nobody. */
export const urlOf = (app: App, id: string): string =>
  `${app.config.publicUrl}/dns#${tokenOf(app, id)}`
