import type { OperatedWorkspace } from '#contract/operator/workspaces.ts'
import { listActions } from '#server/features/operating/actions.ts'
import {
  findWorkspaceId,
  listWorkspaces,
  resumeWorkspace,
  setQuota,
  showWorkspace,
  suspendWorkspace,
} from '#server/features/operating/workspaces.ts'
import { type OperatorApp, TERMINAL } from '#server/features/operators/operators.ts'
import { readSize, sizeText } from '#server/lib/size-text.ts'
import { actionTable } from './action-table.ts'
import type { Answer, Table } from './answers.ts'
import { type Verb, WrongWords } from './verb.ts'

const MOST = 1_000

export const workspaceVerbs: Record<string, Verb> = {
  'workspace list': {
    takes: '[WORDS]',
    does: 'all workspaces, or those with the words in a name, a domain or the address of a member',
    words: [0, 1],
    run: async (app, q = '') => {
      const listing = { q, order: 'created', direction: 'down', limit: MOST } as const
      const { items, nextCursor } = await listWorkspaces(app, listing)
      return { ...workspaceTable(items), hasMore: nextCursor !== null }
    },
  },
  'workspace show': {
    takes: 'NAME|ID',
    does: 'its people, its domains, who sends, and what operators did',
    words: [1, 1],
    run: (app, name = '') => shown(app, name),
  },
  'workspace suspend': {
    takes: 'NAME|ID REASON',
    does: 'stops its sending; it still receives. Its members read the reason',
    words: [2, 2],
    run: async (app, name = '', reason = '') => {
      const text = reason.trim().slice(0, 500)
      if (text === '') throw new WrongWords('Please give a reason; the workspace reads it.')
      const id = await findWorkspaceId(app.db, name)
      const workspace = await suspendWorkspace(app, TERMINAL, id, text)
      return `${workspace.name} sends nothing any more. It still receives.`
    },
  },
  'workspace resume': {
    takes: 'NAME|ID',
    does: 'lets it send again; what waits is tried at once',
    words: [1, 1],
    run: async (app, name = '') => {
      const id = await findWorkspaceId(app.db, name)
      return `${(await resumeWorkspace(app, TERMINAL, id)).name} sends again.`
    },
  },
  'workspace quota': {
    takes: 'NAME|ID SIZE',
    does: 'how much its mailboxes may hold together, for example 75GB',
    words: [2, 2],
    run: async (app, name = '', size = '') => {
      const bytes = readSize(size)
      if (bytes === null || bytes < 1_000_000 || bytes > 1e15)
        throw new WrongWords('A size is from 1MB to 1PB, for example 75GB.')
      const id = await findWorkspaceId(app.db, name)
      const workspace = await setQuota(app, TERMINAL, id, bytes)
      return `${workspace.name} may hold ${sizeText(bytes)}; it has ${sizeText(workspace.usedBytes)}.`
    },
  },
  'action list': {
    takes: '[WORDS]',
    does: 'what operators did, newest first',
    words: [0, 1],
    run: async (app, q = '') => {
      const { items, nextCursor } = await listActions(app, {
        ...{ q, order: 'at', direction: 'down', limit: MOST },
      })
      return { ...actionTable(items), hasMore: nextCursor !== null }
    },
  },
}

const stateOf = ({ endsAt, suspendedAt }: OperatedWorkspace): string => {
  if (endsAt !== null) return `deleted, ends ${endsAt.slice(0, 10)}`
  return suspendedAt === null ? 'open' : 'suspended'
}

const workspaceTable = (items: readonly OperatedWorkspace[]): Table => ({
  head: [
    'name',
    'state',
    'domains',
    'mailboxes',
    'members',
    'used',
    'sent 24 h',
    'bounced 24 h',
    'id',
  ],
  rows: items.map((each) => [
    ...[each.name, stateOf(each), each.domains, each.mailboxes, each.members],
    ...[sizeText(each.usedBytes), each.sent, each.bounced, each._id],
  ]),
  none: 'No workspace.',
})

const shown = async (app: OperatorApp, name: string): Promise<Answer> => {
  const workspace = await showWorkspace(app, await findWorkspaceId(app.db, name))
  const people: Table = {
    head: ['person', 'address', 'role', 'last sign-in'],
    rows: workspace.people.map((each) => [
      ...[each.name, each.email, each.role, each.lastLoginAt && new Date(each.lastLoginAt)],
    ]),
    none: 'No members.',
  }
  const domains: Table = {
    head: ['domain', 'verified', 'active', 'mailboxes'],
    rows: workspace.domainNames.map((each) => [
      ...[each.name, each.isVerified ? 'yes' : 'no', each.isActive ? 'yes' : 'no', each.mailboxes],
    ]),
    none: 'No domains.',
  }
  const senders: Table = {
    head: ['sender', 'sent 24 h', 'bounced 24 h'],
    rows: workspace.senders.map(({ email, sent, bounced }) => [email, sent, bounced]),
    none: 'Nothing was sent in the last 24 hours.',
  }
  const actions = actionTable(workspace.actions)
  return { parts: { workspace: stateTable(workspace), people, domains, senders, actions } }
}

/** With the reason of a suspension. */
const stateTable = (workspace: OperatedWorkspace): Table => {
  const { head, rows, none } = workspaceTable([workspace])
  if (workspace.suspendedAt === null) return { head, rows, none }
  return {
    head: [...head, 'suspended for'],
    rows: rows.map((row) => [...row, workspace.suspendedFor]),
    none,
  }
}
