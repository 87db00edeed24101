/**
 * What a route reads and what it changes. Live updates, the queries that the web app asks again after a change of its own, scopes
 * and the audit log all come from these words (decision 048).
 */

export const TOPICS = [
  'domains',
  'mailboxes',
  'messages',
  'invoices',
  'workspaces',
  'announcements',
] as const
export type Topic = (typeof TOPICS)[number]

/** The topic of the event that announces a change; null where no event does. */
const topics = {
  domains: 'domains',
  'dns-links': 'domains',
  mailboxes: 'mailboxes',
  addresses: 'mailboxes',
  /** Lists of messages and what is counted of them. */
  messages: 'messages',
  /** One message: its text, its files, its journey, its conversation. */
  content: 'messages',
  drafts: 'messages',
  access: 'messages',
  settings: 'messages',
  sending: 'messages',
  transfers: 'messages',
  invoices: 'invoices',
  workspaces: 'workspaces',
  members: 'workspaces',
  invitations: 'workspaces',
  company: 'workspaces',
  'workspace-exports': 'workspaces',
  profile: 'workspaces',
  /** Each is one person's: no event says it to others. */
  'app-passwords': null,
  /** Attempts too: so many that no event announces them. */
  webhooks: null,
  'api-keys': null,
  views: null,
  session: null,
  /** How a person proves who they are: second factors, passkeys, trusted browsers. */
  factors: null,
  installation: null,
  /** What operators tell everybody: the only news of no workspace. */
  announcements: 'announcements',
  /** What operators see and do. */
  operating: null,
  sandbox: null,
} as const satisfies Record<string, Topic | null>

export type Subject = keyof typeof topics

export const topicOf = (subject: Subject): Topic | null => topics[subject]
/** The events that announce a change of these. */
export const topicsOf = (changes: readonly Subject[]): Topic[] => [
  ...new Set(changes.map((subject) => topics[subject]).filter((topic) => topic !== null)),
]

/** Whether an answer with these subjects may be out of date after the event. */
export const isAbout = (reads: readonly Subject[], topic: Topic): boolean =>
  reads.some((subject) => topics[subject] === topic)
