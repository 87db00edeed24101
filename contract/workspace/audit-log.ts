/** The audit log of a workspace: every change of what it has and of who may what. It follows from what routes declare (decision 118). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { pagesOf } from '../operator/paged-list.ts'
import { type Route, route } from '../route.ts'
import type { Subject } from '../subjects.ts'

export const auditTopic = z.enum([
  'members',
  'domains',
  'mailboxes',
  'access',
  'keys',
  'money',
  'settings',
])
export type AuditTopic = z.infer<typeof auditTopic>

type Unrecorded = { never: string }

/** Under which topic a change of each subject is recorded, or why it is not. */
const topics = {
  members: 'members',
  invitations: 'members',
  domains: 'domains',
  'dns-links': 'domains',
  mailboxes: 'mailboxes',
  addresses: 'mailboxes',
  settings: 'mailboxes',
  sending: 'mailboxes',
  access: 'access',
  'workspace-exports': 'access',
  'app-passwords': 'keys',
  'api-keys': 'keys',
  webhooks: 'keys',
  invoices: 'money',
  workspaces: 'settings',
  company: 'settings',
  messages: { never: 'mail is read, marked and moved all day' },
  content: { never: 'mail is read, marked and moved all day' },
  drafts: { never: 'what somebody writes is theirs' },
  transfers: { never: 'readers carry their own mail' },
  profile: { never: 'it is a person’s own' },
  views: { never: 'it is a person’s own' },
  factors: { never: 'it is a person’s own, and mailed to them' },
  session: { never: 'it is a person’s own, and listed for them' },
  announcements: { never: 'it is of the installation' },
  installation: { never: 'it is of the installation' },
  operating: { never: 'operators have a record of their own' },
  sandbox: { never: 'it is a demo' },
} as const satisfies Record<Subject, AuditTopic | Unrecorded>

type Declared = Pick<Route, 'access' | 'changes' | 'notAudited'>

/**
 * The topic of a route: that of the first subject that has one; null: it is not recorded. What an operator does for a workspace is
 * recorded with the record of operators.
 */
export const auditTopicOf = ({ access, changes = [], notAudited }: Declared): AuditTopic | null => {
  if (notAudited !== undefined || access === 'operator') return null
  const found: (AuditTopic | Unrecorded)[] = changes.map((subject) => topics[subject])
  return found.find((topic) => typeof topic === 'string') ?? null
}

export const AUDIT_LOG_DAYS = 365

/** `total` is at most one more: a workspace may have a million lines. */
export const MOST_COUNTED_LINES = 10_000

/** What stands in `by` where no person of the workspace did it; the filter `who` takes the same words. */
export const BY_SYSTEM = 'The system'
export const BY_OPERATOR = 'The operator'

export const auditEntry = z.object({
  _id: fields.id,
  at: z.iso.datetime(),
  /** As they were called then; the account may be gone. '' for the system and the operator. */
  name: z.string(),
  email: z.string(),
  /** With what it was done: 'Firefox on Windows', 'API key Onboarding'; or `BY_SYSTEM`, `BY_OPERATOR`. */
  by: z.string(),
  /** '' where it came from no network. */
  ip: z.string(),
  topic: auditTopic,
  /** The name of the route, or a word of its own. */
  action: z.string(),
  /** What was done, in words. */
  what: z.string(),
  /** The name of what it was done to, as it was before. */
  object: z.string(),
  /** null: as before, or gone. */
  objectAfter: z.string().nullable(),
  /** By field: what was set, or 'before → after'. */
  details: z.record(z.string(), z.string()),
  /** false: the server stopped before it could record the end. */
  isDone: z.boolean(),
})
export type AuditEntry = z.infer<typeof auditEntry>

const day = z.iso.date('Please choose a day')

export const auditFilters = z.strictObject({
  ...fields.page,
  /** The address of who did it, or `BY_SYSTEM`, `BY_OPERATOR`. */
  who: fields.line(320).trim().optional(),
  topic: auditTopic.optional(),
  /** A part of what was done, or of the name of what it was done to. */
  q: fields.operatorSearch,
  /** Days as YYYY-MM-DD, in UTC; both are within. */
  from: day.optional(),
  until: day.optional(),
  order: z.enum(['at']).default('at'),
  direction: z.enum(['up', 'down']).default('down'),
})

export const listAuditLog = route({
  name: 'listAuditLog',
  method: 'GET',
  path: '/audit-log',
  summary: 'What was changed in the workspace, by whom and from where, of the last year',
  access: 'see-audit-log',
  reads: ['workspaces', 'members', 'domains', 'mailboxes', 'invoices'],
  query: auditFilters,
  output: pagesOf(auditEntry),
  errors: [],
})
