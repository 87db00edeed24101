/**
 * Which routes a key may call that is narrowed to some domains and mailboxes (decision 120). A route that is not named here is
 * refused to such keys, so that a new one is safe by itself.
 */
import type { Route } from '../route.ts'

/** What a narrowed key reaches: these domains with all their mailboxes, and these mailboxes. */
export type Reach = { domainIds: readonly string[]; mailboxIds: readonly string[] }

export type Reached =
  /** `{id}` of the path is a domain, or a mailbox, that the key must reach. */
  | 'domain'
  | 'mailbox'
  /** Its feature asks the caller's reach. */
  | 'in-feature'
  /** It is about the key itself. */
  | 'itself'

/** Paths with the id of a domain. */
const ofDomain = [
  '/domains/{id}',
  '/dns-records/dns/{id}',
  '/dns-records/history/{id}',
  '/dns-records/ownership/{id}',
  '/dns-records/verify-dns/{id}',
  '/dns-records/verify-ownership/{id}',
  '/domain-ownership/{id}',
]

/** Those whose input names nothing beside the path, or whose features look at it with the caller's reach. */
const withBody = new Set([
  ...['createFolder', 'renameFolder', 'changeMessages', 'changeMessage', 'recoverMessages'],
  ...['sendMessage', 'sendWriting', 'undoSend', 'saveDraft', 'uploadFile', 'copyAttachments'],
  ...['answerInvitation', 'addPictureSender', 'makeExport', 'startImport', 'uploadPiece'],
  ...['changeMailboxSettings', 'setVacation', 'makeAccessLink', 'giveMailbox', 'takeRight'],
  ...['editMailbox', 'addAlias', 'setCatchAll', 'makeDnsLink'],
])

/** They show more than what their path names, such as links that open other domains, too. */
const showsMore = new Set(['listDnsLinks'])

const inFeature = new Set([
  ...['listDomains', 'listMailboxes', 'countMailboxes', 'createMailbox', 'generateMailboxes'],
])

type Asked = Pick<Route, 'name' | 'path' | 'body' | 'takesBytes'>

/** null: a narrowed key may not call it. */
export const reachOf = ({ name, path, body, takesBytes }: Asked): Reached | null => {
  if (name === 'getOwnKey' || name === 'readEvents') return 'itself'
  if (inFeature.has(name)) return 'in-feature'
  if (showsMore.has(name)) return null
  if ((body !== undefined || takesBytes === true) && !withBody.has(name)) return null
  const begins = (with_: string) => `${path}/`.startsWith(`${with_}/`)
  if (begins('/mailboxes/{id}')) return 'mailbox'
  return ofDomain.some(begins) ? 'domain' : null
}
