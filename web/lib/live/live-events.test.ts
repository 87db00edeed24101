import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { listInvoices } from '#contract/billing.ts'
import { listDnsRecords, listDomains } from '#contract/domains.ts'
import type { Changed } from '#contract/events.ts'
import { getDomainSteps } from '#contract/first-steps.ts'
import { listInvitations } from '#contract/invitations.ts'
import { listAddresses, listAliases } from '#contract/mail/aliases.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { listFolders, listMessages } from '#contract/messages.ts'
import type { Route } from '#contract/route.ts'
import { getStats } from '#contract/stats.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { invalidateWithPending } from '../api/query-client.ts'
import { afterOwnCalls, isOutOfDate, watchReads } from './live-events.ts'

/** A client with active queries that records each request. */
const aClient = () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const reads = watchReads(client)
  const asked: string[] = []
  const show = async (name: string) => {
    const queryFn = async () => asked.push(name)
    const observer = new QueryObserver(client, { queryKey: [name], queryFn })
    observer.subscribe(() => {})
    await observer.refetch()
  }
  const hear = () => {
    const heardAt = performance.now()
    return new Promise<void>((resolve) =>
      afterOwnCalls(client, () => {
        const predicate = (query: Parameters<typeof reads.isAfter>[0]) =>
          !reads.isAfter(query, heardAt)
        void invalidateWithPending(client, { predicate }).then(resolve)
      }),
    )
  }
  return { client, asked, show, hear }
}

const change = (client: QueryClient, onSuccess: () => Promise<void>) => {
  const answer = Promise.withResolvers<void>()
  const mutation = client
    .getMutationCache()
    .build(client, { mutationFn: () => answer.promise, onSuccess })
  return { done: mutation.execute(undefined), answer: answer.resolve }
}

test('a change that is told with nothing under way is read at once', async () => {
  const { asked, show, hear } = aClient()
  await show('records')
  await hear()
  expect(asked).toEqual(['records', 'records'])
})

test('what an own call reads after its answer is not read again for the news of that call', async () => {
  const { client, asked, show, hear } = aClient()
  for (const name of ['records', 'domain', 'links']) await show(name)
  asked.length = 0
  const call = change(client, async () => {
    client.setQueryData(['records'], 9)
    await invalidateWithPending(client, { queryKey: ['domain'] })
  })
  const news = hear()
  expect(asked).toEqual([])
  call.answer()
  await Promise.all([call.done, news])
  // The call answers the records; only the live event makes the links reload.
  expect(asked).toEqual(['domain', 'links'])
})

const routes = {
  domains: [listDomains, {}],
  records: [listDnsRecords, { params: { id: 'd1' } }],
  steps: [getDomainSteps, { params: { id: 'd1' } }],
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
  ['domains', undefined, ['domains', 'records', 'steps', 'stats']],
  ['mailboxes', undefined, ['domains', 'steps', 'mailboxes', 'aliases', 'addresses', 'stats']],
  ['messages', 'm1', ['steps', 'folders', 'stats']],
  ['messages', undefined, ['steps', 'folders', 'messages', 'stats']],
  ['invoices', undefined, ['invoices']],
  ['workspaces', undefined, ['workspaces', 'invitations']],
])('%s of %s reads %j again', (topic, mailboxId, read) => {
  const event: Changed = { topic, workspaceId: 'w', ...(mailboxId ? { mailboxId } : {}) }
  const about = Object.entries(routes).filter(([, [{ path, reads }, args]]) =>
    isOutOfDate({ queryKey: [path, args], meta: { reads } }, event),
  )
  expect(about.map(([name]) => name)).toEqual(read)
})
