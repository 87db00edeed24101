import { expect, test } from 'vitest'
import { listInvoices } from '#contract/billing.ts'
import { listDnsRecords, listDomains } from '#contract/domains.ts'
import type { Changed } from '#contract/events.ts'
import { listAddresses, listAliases } from '#contract/mail/aliases.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { listFolders, listMessages } from '#contract/messages.ts'
import type { Route } from '#contract/route.ts'
import { getStats } from '#contract/stats.ts'
import { listInvitations } from '#contract/workspace/invitations.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { isOutOfDate } from './live-topics.ts'

const routes = {
  domains: [listDomains, {}],
  records: [listDnsRecords, { params: { id: 'd1' } }],
  mailboxes: [listMailboxes, { query: {} }],
  aliases: [listAliases, { params: { id: 'm1' } }],
  addresses: [listAddresses, { params: { id: 'm1' } }],
  folders: [listFolders, { params: { id: 'm1' } }],
  messages: [listMessages, { params: { id: 'm2' }, query: {} }],
  stats: [getStats, {}],
  invoices: [listInvoices, { query: {} }],
  workspaces: [listWorkspaces, {}],
  invitations: [listInvitations, {}],
} satisfies Record<string, [Route, object]>

test.each<[Changed['topic'], string | undefined, string[]]>([
  ['domains', undefined, ['domains', 'records', 'stats']],
  ['mailboxes', undefined, ['domains', 'mailboxes', 'aliases', 'addresses', 'stats']],
  ['messages', 'm1', ['folders', 'stats']],
  ['messages', undefined, ['folders', 'messages', 'stats']],
  ['invoices', undefined, ['invoices']],
  ['workspaces', undefined, ['workspaces', 'invitations']],
])('%s of %s reads %j again', (topic, mailboxId, read) => {
  const event: Changed = { topic, workspaceId: 'w', ...(mailboxId ? { mailboxId } : {}) }
  const about = Object.entries(routes).filter(([, [{ path, reads }, args]]) =>
    isOutOfDate({ queryKey: [path, args], meta: { reads } }, event),
  )
  expect(about.map(([name]) => name)).toEqual(read)
})
