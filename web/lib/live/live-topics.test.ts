import { expect, test } from 'vitest'
import { listInvoices } from '#contract/billing.ts'
import { listDnsRecords, listDomains } from '#contract/domains.ts'
import type { Changed } from '#contract/events.ts'
import { listAddresses, listAliases } from '#contract/mail/aliases.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { listFolders, listMessages } from '#contract/messages.ts'
import { getStats } from '#contract/stats.ts'
import { listInvitations } from '#contract/workspace/invitations.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { isAbout } from './live-topics.ts'

const keys = {
  domains: [listDomains.path, {}],
  records: [listDnsRecords.path, { params: { id: 'd1' } }],
  mailboxes: [listMailboxes.path, { query: {} }],
  aliases: [listAliases.path, { params: { id: 'm1' } }],
  addresses: [listAddresses.path, { params: { id: 'm1' } }],
  folders: [listFolders.path, { params: { id: 'm1' } }],
  messages: [listMessages.path, { params: { id: 'm2' }, query: {} }],
  stats: [getStats.path, {}],
  invoices: [listInvoices.path, { query: {} }],
  workspaces: [listWorkspaces.path, {}],
  invitations: [listInvitations.path, {}],
}

test.each<[Changed['topic'], string | undefined, string[]]>([
  ['domains', undefined, ['domains', 'records', 'stats']],
  ['mailboxes', undefined, ['domains', 'mailboxes', 'aliases', 'addresses', 'stats']],
  ['messages', 'm1', ['folders', 'stats']],
  ['messages', undefined, ['folders', 'messages', 'stats']],
  ['invoices', undefined, ['invoices']],
  ['workspaces', undefined, ['workspaces', 'invitations']],
])('%s of %s reads %j again', (topic, mailboxId, read) => {
  const event: Changed = { topic, workspaceId: 'w', ...(mailboxId ? { mailboxId } : {}) }
  const about = Object.entries(keys).filter(([, key]) => isAbout(key, event))
  expect(about.map(([name]) => name)).toEqual(read)
})
