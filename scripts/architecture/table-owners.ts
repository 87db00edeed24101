/** Which room writes a table. Other rooms read it through what its owner exports, and ask its owner to write (decision 050). */

/** By room of `server/features/`; storage owns what belongs to no feature. */
export const owners: Record<string, readonly string[]> = {
  storage: ['installation'],
  limits: ['throttles'],
  outbox: ['system_keys', 'outbox_messages', 'deliveries', 'delivery_attempts', 'sts_policies'],
  accounts: ['users', 'identities', 'sessions', 'known_devices', 'mail_links', 'oauth_starts'],
  workspaces: ['workspaces', 'members', 'invitations', 'invitation_links', 'company_profiles'],
  billing: ['invoices', 'invoice_lines', 'payments'],
  domains: ['domains', 'domain_records', 'domain_settings', 'domain_keys'],
  ownership: ['missing_proofs', 'domain_claims', 'released_domains'],
  checks: ['domain_record_changes', 'domain_alerts', 'dns_links'],
  mailboxes: [
    ...['mailboxes', 'mailbox_readers', 'access_links', 'access_entries', 'aliases'],
    ...['catch_alls', 'folders'],
  ],
  junk: ['junk_models', 'greylist'],
  messages: [
    ...['messages', 'message_texts', 'messages_read_in_part', 'conversations', 'folder_days'],
    'bulk_changes',
  ],
  sending: [
    ...['sendings', 'correspondents', 'bounces', 'sending_stops', 'uploads', 'drafts', 'sends'],
    'contacts',
  ],
  vacation: ['vacation_replies', 'vacation_dues', 'vacation_answers'],
  transfer: ['mail_exports', 'mail_imports', 'mail_import_chunks', 'mail_import_faults'],
  pictures: ['picture_senders'],
}

/** Rooms that write a table beside its owner. Each is to go through the owner: nothing is added here. */
export const alsoWrites: Record<string, readonly string[]> = {
  accounts: ['workspaces', 'members'],
  workspaces: ['users', 'mailbox_readers', 'access_links', 'access_entries', 'dns_links'],
  ownership: ['domains', 'domain_records'],
  checks: ['domains', 'domain_records'],
  junk: ['messages'],
  messages: ['mailboxes', 'folders', 'vacation_dues'],
  sending: ['deliveries', 'messages'],
  // A domain takes the rows of its mail along to another workspace.
  moves: [
    ...['users', 'domains', 'dns_links', 'mailbox_readers', 'access_links', 'access_entries'],
    ...['outbox_messages', 'deliveries', 'delivery_attempts', 'conversations', 'folder_days'],
  ],
}

export type Write = { room: string; table: string }

const statements = [
  /\b(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g,
  /\b(?:insert into|delete from|update)\s+(?:only\s+)?([a-z_]+)/g,
]

export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `path` from the root. Words that are no table (`for update of`) are left out. */
export const writesIn = (path: string, text: string): Write[] => {
  const [, feature] = /^server\/features\/([\w-]+)\//.exec(path) ?? []
  const room = feature ?? (path.startsWith('server/storage/') ? 'storage' : path)
  const known = new Set(Object.values(owners).flat())
  return statements
    .flatMap((statement) => [...text.matchAll(statement)])
    .map(([, name = '']) => snake(name))
    .filter((table) => known.has(table))
    .map((table) => ({ room, table }))
}

export const findOwnerFaults = (tables: readonly string[], writes: readonly Write[]): string[] => {
  const ownersOf = (table: string) =>
    Object.keys(owners).filter((room) => owners[room]?.includes(table))
  const mayWrite = ({ room, table }: Write) =>
    ownersOf(table).includes(room) || alsoWrites[room]?.includes(table)
  const isWritten = (room: string, table: string) =>
    writes.some((write) => write.room === room && write.table === table)
  const extra = Object.entries(alsoWrites).flatMap(([room, names]) =>
    names
      .filter((table) => !isWritten(room, table))
      .map((table) => `${room} no longer writes ${table}`),
  )
  return [
    ...tables
      .filter((table) => ownersOf(table).length !== 1)
      .map((table) => `${table} needs one owner`),
    ...new Set(
      writes
        .filter((write) => !mayWrite(write))
        .map(({ room, table }) => `${room} writes ${table}`),
    ),
    ...extra,
  ]
}
