/**
 * What an API key may do, in one vocabulary with app passwords (decision 120). The scopes of a route come from what it reads and
 * changes. A new subject without a noun does not compile, and a route without a scope stops the start.
 */
import { z } from 'zod'
import type { Route } from '../route.ts'
import { type Subject, type Topic, topicOf } from '../subjects.ts'

/** Mail programs; only app passwords have these. */
export const programScopes = ['imap', 'smtp'] as const

const NOUNS = ['domains', 'mailboxes', 'messages', 'access', 'members', 'billing'] as const
export type Noun = (typeof NOUNS)[number]

/** In the order in which people read them. Writing does not include reading: each scope is named, and nothing comes with it. */
export const KEY_SCOPES = [
  'domains:read',
  'domains:write',
  'mailboxes:read',
  'mailboxes:write',
  'access:read',
  'access:write',
  'mail:send',
  'messages:read',
  'messages:write',
  'members:read',
  'members:write',
  'billing:read',
  'billing:write',
] as const satisfies readonly (`${Noun}:${'read' | 'write'}` | 'mail:send')[]
export type KeyScope = (typeof KEY_SCOPES)[number]

export const keyScope = z.enum(KEY_SCOPES)

/** What a holder may let a program do, with their one mailbox. */
export const HOLDER_SCOPES: readonly KeyScope[] = [
  'mailboxes:read',
  'mailboxes:write',
  'mail:send',
  'messages:read',
  'messages:write',
]

/** No key calls what is about this, and why. */
type Never = { never: string }

const PERSONAL = { never: 'It belongs to a person and their browser' }
const OTHER_WORKSPACES = { never: 'A key works in one workspace' }
const OUTLIVES = { never: 'It makes a secret that would outlive the key' }
const OPERATED = { never: 'Operators work by their console and their terminal' }
const LOWERS = { never: 'It lowers how a person signs in, so a person answers for it' }
const WHOLE = { never: 'A person confirms it with their password' }

const nouns = {
  domains: 'domains',
  'dns-links': 'domains',
  sandbox: 'domains',
  mailboxes: 'mailboxes',
  addresses: 'mailboxes',
  settings: 'mailboxes',
  access: 'access',
  messages: 'messages',
  content: 'messages',
  drafts: 'messages',
  sending: 'messages',
  transfers: 'messages',
  members: 'members',
  invitations: 'members',
  invoices: 'billing',
  company: 'billing',
  workspaces: OTHER_WORKSPACES,
  'workspace-exports': WHOLE,
  'app-passwords': OUTLIVES,
  'api-keys': OUTLIVES,
  webhooks: OUTLIVES,
  profile: PERSONAL,
  views: PERSONAL,
  factors: PERSONAL,
  session: PERSONAL,
  announcements: PERSONAL,
  installation: OPERATED,
  operating: OPERATED,
} as const satisfies Record<Subject, Noun | Never>

/** By the name of a route: where its first subject does not say what a key must be trusted with. */
const exceptions: Record<string, readonly KeyScope[] | Never> = {
  // The key itself, and what changed: events are of what its scopes read.
  getOwnKey: [],
  readEvents: [],
  sendMessage: ['mail:send'],
  sendWriting: ['mail:send'],
  undoSend: ['mail:send'],
  // Their answers show the message.
  answerInvitation: ['messages:read', 'mail:send'],
  changeMessage: ['messages:read', 'messages:write'],
  // Files of one message in another one, which may go to anybody.
  copyAttachments: ['messages:read', 'messages:write'],
  // A file of all mail.
  makeExport: ['messages:read'],
  resumeSending: ['mailboxes:write'],
  pay: ['billing:write'],
  listAllAccessEntries: ['access:read'],
  exportManyRecords: ['domains:read'],
  getStats: ['domains:read', 'mailboxes:read'],
  // A domain has mailboxes, and they go with it.
  deleteDomain: ['domains:write', 'mailboxes:write'],
  deleteManyDomains: ['domains:write', 'mailboxes:write'],
  restoreDeleted: ['domains:write', 'mailboxes:write'],
  endDeleted: ['domains:write', 'mailboxes:write'],
  resetMemberFactor: LOWERS,
  resetHolderFactor: LOWERS,
  previewMove: OTHER_WORKSPACES,
  moveDomain: OTHER_WORKSPACES,
  moveManyDomains: OTHER_WORKSPACES,
}

export const exceptionNames = Object.keys(exceptions)

export type KeyUse =
  /** A key needs all of these. */
  | { scopes: readonly KeyScope[] }
  /** No key may call it, and why. */
  | Never
  /** Nobody is asked who calls. */
  | 'open'

type Asked = Pick<Route, 'name' | 'method' | 'access' | 'reads' | 'changes'>

/**
 * What a key needs for a route. The first of its subjects is what it is about.
 * @throws when nothing says it
 */
export const keyUse = ({ name, method, access, reads, changes }: Asked): KeyUse => {
  if (access === 'anyone') return 'open'
  const exception = exceptions[name]
  if (exception !== undefined) return 'never' in exception ? exception : { scopes: exception }
  if (access === 'operator') return OPERATED
  if (access === 'signed-in' || access === 'any-session') return PERSONAL
  const [subject] = (method === 'GET' ? reads : changes) ?? []
  if (subject === undefined) throw new Error(`no scope is known for ${name}: say it in scopes.ts`)
  const noun = nouns[subject]
  return typeof noun === 'string'
    ? { scopes: [`${noun}:${method === 'GET' ? 'read' : 'write'}`] }
    : noun
}

export const isAllowedBy = (use: KeyUse, scopes: readonly KeyScope[]): boolean =>
  use !== 'open' && 'scopes' in use && use.scopes.every((scope) => scopes.includes(scope))

/** Events of these topics tell a key of what it reads. */
export const topicsFor = (scopes: readonly KeyScope[]): Set<Topic> => {
  const subjects = Object.entries(nouns).filter(
    ([, noun]) => typeof noun === 'string' && scopes.includes(`${noun}:read`),
  )
  return new Set(subjects.flatMap(([subject]) => topicOf(subject as Subject) ?? []))
}
