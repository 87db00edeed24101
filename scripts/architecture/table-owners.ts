/**
 * Which room owns a table. Only its SQL names the table: others call what it exports, or join the rows that it exports as a
 * query (decision 054). What is looked at is the text of every file of the server.
 */

/** Tables by room of `server/features/`; storage owns those of no feature. */
export const owners: Record<string, readonly string[]> = {
  storage: ['installation'],
  limits: ['throttles', 'idempotency_keys'],
  outbox: ['system_keys', 'outbox_messages', 'deliveries', 'delivery_attempts', 'sts_policies'],
  tenants: ['workspaces', 'members'],
  audit: ['audit_log'],
  factors: [
    ...['second_factors', 'passkeys', 'recovery_codes', 'trusted_browsers'],
    ...['factor_challenges', 'required_factors'],
  ],
  accounts: [
    ...['users', 'identities', 'sessions', 'known_devices', 'mail_links', 'oauth_starts'],
    'preferences',
  ],
  workspaces: ['invitations', 'invitation_links', 'company_profiles', 'saved_views'],
  operators: ['operators', 'operator_links', 'operator_actions', 'operator_receipts'],
  exports: ['workspace_exports'],
  webhooks: ['webhooks', 'webhook_events', 'webhook_lanes', 'webhook_attempts'],
  domains: ['domains', 'domain_records', 'domain_settings', 'domain_keys', 'verified_domains'],
  backups: ['backups'],
  certificates: ['certificates', 'acme_accounts', 'acme_answers'],
  mailboxes: [
    ...['mailboxes', 'mailbox_readers', 'access_links', 'access_entries', 'aliases'],
    ...['catch_alls', 'folders', 'addresses'],
  ],
  programs: ['app_passwords', 'program_uses'],
  keys: ['api_keys'],
  billing: [
    ...['invoices', 'invoice_lines', 'payments', 'card_customers', 'card_payments', 'card_refunds'],
    ...['ledger_entries', 'stripe_events', 'invoice_numbers'],
  ],
  ownership: ['missing_proofs', 'domain_claims', 'released_domains'],
  checks: ['domain_record_changes', 'domain_alerts', 'dns_links', 'dns_link_domains'],
  junk: ['junk_models', 'greylist', 'correspondents', 'listed_senders'],
  'web-files': ['web_files'],
  messages: [
    ...['messages', 'message_texts', 'messages_read_in_part', 'conversations', 'folder_days'],
    ...['bulk_changes', 'text_folding', 'tombstones'],
    ...['message_structures', 'structure_filling', 'mailbox_keywords', 'freed_blobs'],
    'freed_segments',
  ],
  sending: [
    'sendings',
    'bounces',
    'complaints',
    'sending_stops',
    'uploads',
    'drafts',
    'sends',
    'contacts',
  ],
  vacation: ['vacation_replies', 'vacation_dues', 'vacation_answers'],
  transfer: ['mail_exports', 'mail_imports', 'mail_import_chunks', 'mail_import_faults'],
  pictures: ['picture_senders'],
  unsubscribing: ['unsubscriptions'],
  'test-mails': ['test_mails'],
  operating: [
    ...['alerts', 'alert_news', 'mail_log', 'refused_mails', 'announcements'],
    'announcement_dismissals',
  ],
}

/** Questions to tables of rooms further on, which cannot be called. Each says why; nothing is added here, and none writes. */
export type Exception = { reads: readonly string[]; why: string; mayLock?: true }

export const exceptions: Record<string, Exception> = {
  'server/features/accounts/session-store.ts': {
    reads: ['mailboxes', 'mailbox_readers'],
    why: 'every request and every open page asks who is calling, in one query',
  },
  'server/features/accounts/holders-store.ts': {
    reads: ['mailboxes', 'mailbox_readers', 'aliases', 'catch_alls', 'domains'],
    why: 'whether mail to an account would be read by others here, and whether its mailbox is suspended while it signs in',
    mayLock: true,
  },
  'server/features/accounts/auth-store.ts': {
    reads: ['invitations'],
    why: 'invited people may sign up where sign-up is closed',
  },
  'server/storage/blobs/open-blobs.ts': {
    reads: ['messages', 'outbox_messages', 'uploads'],
    why: 'before any room is there, whether these are the blobs of this database',
  },
  'server/features/workspaces/outside-store.ts': {
    reads: ['mailboxes', 'domains'],
    why: 'an invitation must not go to an address that the workspace itself has',
  },
  'server/features/domains/domain-list-store.ts': {
    reads: ['mailboxes', 'catch_alls'],
    why: 'a domain is answered with the number of its mailboxes, the whole list in one query',
  },
  'server/features/messages/blobs/blob-queries.ts': {
    reads: ['uploads', 'mail_import_chunks'],
    why: 'a blob that any row refers to must not be removed: one question to all, so that none is forgotten',
  },
}

export type Naming = { path: string; table: string; how: 'writes' | 'reads' | 'locks' }

const writing = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\b(?:insert into|delete from|merge into|update)\s+(?:only\s+)?([a-z_]+)/gi,
]
const reading = [
  /\b(?:selectFrom|\w+Join|\w+JoinLateral|from|using|table)\(\s*'(\w+)/g,
  /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?([a-z_]+)/gi,
]
/** A file that hands names of tables over names all that it spells. */
const handsOver = /\bsql\.table\(|\bselectFrom\(\s*(?:\[|\w+\s*\))|\bmoveBy\w+\(/
const spelled = /(?<!\.as\()'(\w+)(?: as \w+)?'/g
const locks =
  /\.for(?:NoKey)?Update\(|\.for(?:Key)?Share\(|\bfor (?:no key )?update\b|\bfor (?:key )?share\b/i
export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** `path` from the root. */
export const namingsIn = (path: string, text: string): Naming[] => {
  const code = withoutComments(text)
  const known = new Set(Object.values(owners).flat())
  const found = (patterns: readonly RegExp[]) =>
    patterns
      .flatMap((pattern) => [...code.matchAll(pattern)])
      .map(({ 1: name = '', index }) => ({ table: snake(name), index }))
      .filter(({ table }) => known.has(table))
  const named = (how: Naming['how'], all: readonly { table: string }[]): Naming[] =>
    all.map(({ table }) => ({ path, table, how }))
  const read = found(handsOver.test(code) ? [...reading, spelled] : reading)
  return [
    ...named('writes', found(writing)),
    ...named('reads', read),
    ...named(
      'locks',
      read.filter(({ index }) => isLocked(code, index)),
    ),
  ]
}

/** Up to where the next statement begins. */
const isLocked = (code: string, from: number): boolean => {
  const rest = code.slice(from)
  const end = rest.search(/\.execute|\n\n|\n}/)
  return locks.test(end === -1 ? rest : rest.slice(0, end))
}

const roomOf = (path: string): string => {
  const [, feature] = /^server\/features\/([\w-]+)\//.exec(path) ?? []
  return feature ?? (path.startsWith('server/storage/') ? 'storage' : path)
}

export const findOwnerFaults = (
  tables: readonly string[],
  namings: readonly Naming[],
): string[] => {
  const ownersOf = (table: string) =>
    Object.keys(owners).filter((room) => owners[room]?.includes(table))
  const isFault = ({ path, table, how }: Naming): boolean => {
    if (ownersOf(table).includes(roomOf(path))) return false
    const exception = exceptions[path]
    if (how === 'writes' || !exception?.reads.includes(table)) return true
    return how === 'locks' && exception.mayLock !== true
  }
  const isUsed = (path: string, table: string) =>
    namings.some((naming) => naming.path === path && naming.table === table)
  return [
    ...tables
      .filter((table) => ownersOf(table).length !== 1)
      .map((table) => `${table} needs one owner`),
    ...new Set(namings.filter(isFault).map(({ path, table, how }) => `${path} ${how} ${table}`)),
    ...Object.entries(exceptions).flatMap(([path, { reads }]) =>
      reads.filter((table) => !isUsed(path, table)).map((table) => `${path} asks ${table} no more`),
    ),
  ]
}

/** Files that are open to later rooms although none asks: they are stores. `files`: their text by path. */
export const findUnasked = (files: ReadonlyMap<string, string>): string[] =>
  [...files.keys()]
    .filter((path) => /^server\/features\/.*-queries\.ts$/.test(path))
    .filter(
      (path) =>
        ![...files].some(
          ([from, text]) => roomOf(from) !== roomOf(path) && text.includes(`'#${path}'`),
        ),
    )
