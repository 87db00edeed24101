import type { DnsLink } from '#contract/dns/links.ts'
import type { App } from '#server/app.ts'
import { urlOf } from './link-token.ts'
import type { OpenLink } from './links-store.ts'

export const toLink = (app: App, row: OpenLink): DnsLink => ({
  _id: row.id,
  url: urlOf(app, row.id),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  createdBy: row.firstName === null ? null : `${row.firstName} ${row.lastName}`,
  openedAt: row.openedAt?.toISOString() ?? null,
  sentTo: row.sentTo,
})
