/** The row types of every table. Columns are snake_case in PostgreSQL, camelCase here. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Authentication, FolderRole, Junk, Person } from '#contract/messages.ts'
import type { Role } from '#contract/rights.ts'
import type {
  AccessEntriesTable,
  AccessLinksTable,
  MailboxReadersTable,
} from './rows/access-tables.ts'
import type {
  IdentitiesTable,
  KnownDevicesTable,
  MailLinksTable,
  OauthStartsTable,
  SessionsTable,
  UsersTable,
} from './rows/account-tables.ts'
import type { AliasesTable, CatchAllsTable } from './rows/address-tables.ts'
import type {
  BouncesTable,
  CorrespondentsTable,
  SendingStopsTable,
  SendingsTable,
} from './rows/brake-tables.ts'
import type {
  BulkChangesTable,
  ConversationsTable,
  FolderDaysTable,
  MessagesReadInPartTable,
  MessageTextsTable,
} from './rows/conversation-tables.ts'
import type { DnsLinksTable } from './rows/dns-link-tables.ts'
import type {
  DomainKeysTable,
  DomainRecordsTable,
  DomainSettingsTable,
  DomainsTable,
} from './rows/domain-tables.ts'
import type { InvitationLinksTable, InvitationsTable } from './rows/invitation-tables.ts'
import type { GreylistTable, JunkModelsTable } from './rows/junk-tables.ts'
import type {
  MailExportsTable,
  MailImportChunksTable,
  MailImportFaultsTable,
  MailImportsTable,
  VacationAnswersTable,
  VacationDuesTable,
  VacationRepliesTable,
} from './rows/mailbox-setting-tables.ts'
import type {
  DomainClaimsTable,
  MissingProofsTable,
  ReleasedDomainsTable,
} from './rows/ownership-tables.ts'
import type { PictureSendersTable } from './rows/picture-tables.ts'
import type { StsPoliciesTable } from './rows/sts-tables.ts'
import type { DomainAlertsTable, DomainRecordChangesTable } from './rows/watching-tables.ts'
import type { ContactsTable, DraftsTable, SendsTable, UploadsTable } from './rows/writing-tables.ts'

type Json<T> = JSONColumnType<T & object, string, string>
type Defaulted<T> = ColumnType<T, T | undefined, T>

export type Tables = {
  installation: InstallationTable
  users: UsersTable
  identities: IdentitiesTable
  sessions: SessionsTable
  knownDevices: KnownDevicesTable
  mailLinks: MailLinksTable
  oauthStarts: OauthStartsTable
  throttles: ThrottlesTable
  workspaces: WorkspacesTable
  members: MembersTable
  invitations: InvitationsTable
  invitationLinks: InvitationLinksTable
  companyProfiles: CompanyProfilesTable
  invoices: InvoicesTable
  invoiceLines: InvoiceLinesTable
  payments: PaymentsTable
  domains: DomainsTable
  domainRecords: DomainRecordsTable
  domainSettings: DomainSettingsTable
  domainRecordChanges: DomainRecordChangesTable
  domainAlerts: DomainAlertsTable
  domainKeys: DomainKeysTable
  missingProofs: MissingProofsTable
  domainClaims: DomainClaimsTable
  releasedDomains: ReleasedDomainsTable
  dnsLinks: DnsLinksTable
  systemKeys: SystemKeysTable
  mailboxes: MailboxesTable
  mailboxReaders: MailboxReadersTable
  accessLinks: AccessLinksTable
  accessEntries: AccessEntriesTable
  aliases: AliasesTable
  catchAlls: CatchAllsTable
  folders: FoldersTable
  messages: MessagesTable
  messageTexts: MessageTextsTable
  conversations: ConversationsTable
  folderDays: FolderDaysTable
  bulkChanges: BulkChangesTable
  pictureSenders: PictureSendersTable
  junkModels: JunkModelsTable
  greylist: GreylistTable
  outboxMessages: OutboxMessagesTable
  deliveries: DeliveriesTable
  deliveryAttempts: DeliveryAttemptsTable
  stsPolicies: StsPoliciesTable
  sendings: SendingsTable
  correspondents: CorrespondentsTable
  bounces: BouncesTable
  sendingStops: SendingStopsTable
  vacationReplies: VacationRepliesTable
  vacationDues: VacationDuesTable
  messagesReadInPart: MessagesReadInPartTable
  vacationAnswers: VacationAnswersTable
  mailExports: MailExportsTable
  mailImports: MailImportsTable
  mailImportChunks: MailImportChunksTable
  mailImportFaults: MailImportFaultsTable
  uploads: UploadsTable
  drafts: DraftsTable
  sends: SendsTable
  contacts: ContactsTable
}

/** Facts about the installation as a whole. */
export type InstallationTable = {
  key: string
  value: string
}

export type ThrottlesTable = {
  key: string
  count: number
  windowEndsAt: Date
}

export type WorkspacesTable = {
  id: string
  name: string
  storageQuotaBytes: number
  createdAt: Date
}

export type MembersTable = {
  workspaceId: string
  userId: string
  role: Role
  createdAt: Date
}

/** Of a workspace; no row until it is saved. */
export type CompanyProfilesTable = {
  workspaceId: string
  name: string
  website: string
  phone: string
  address: string
  zipCode: string
  country: string
  city: string
  timeZone: string
  timeFormat: string
  updatedAt: Date
}

export type InvoicesTable = {
  id: string
  workspaceId: string
  /** Of the workspace that it was issued to; '' before there were any. */
  series: string
  /** Without gaps in its series; shown as 'MS-9F3A02-000042'. */
  number: number
  status: 'Due' | 'Paid'
  amountCents: number
  mailboxCount: number
  /** First day of the calendar month, and of the next. */
  periodStart: Date
  periodEnd: Date
  createdAt: Date
  paidAt: Date | null
}

export type InvoiceLinesTable = {
  id: string
  workspaceId: string
  invoiceId: string
  mailboxId: string
  email: string
  amountCents: number
}

/** Idempotency keys of payments. */
export type PaymentsTable = {
  workspaceId: string
  key: string
  requestHash: Buffer
  invoiceId: string
  createdAt: Date
}

/** DKIM keys of MAIL_HOST, for system mail. */
export type SystemKeysTable = {
  domain: string
  selector: string
  privateKeySealed: string
  publicKey: string
  createdAt: Date
}

export type MailboxesTable = {
  id: string
  workspaceId: string
  domainId: string
  /** Lower case, A-labels; unique in the installation. */
  email: string
  firstName: string
  lastName: string
  /** What recipients see in From; '': both names. */
  displayName: Defaulted<string>
  signature: Defaulted<string>
  status: 'inactive' | 'active' | 'suspended'
  /** Bytes of all its messages. */
  usedBytes: Defaulted<number>
  createdAt: Date
}

export type FoldersTable = {
  id: string
  workspaceId: string
  mailboxId: string
  role: FolderRole | null
  name: string
  /** RFC 3501 §2.3.1.1: never reused for another folder of that name. */
  uidValidity: Generated<number>
  uidNext: Defaulted<number>
  /** RFC 7162: grows with every change in the folder. */
  highestModseq: Defaulted<number>
  messageCount: Defaulted<number>
  unreadCount: Defaulted<number>
}

export type MessagesTable = {
  id: string
  workspaceId: string
  mailboxId: string
  folderId: string
  uid: number
  modseq: number
  threadId: string
  /** SHA-256 of the raw message, hex. */
  blob: string
  sizeBytes: number
  /** Header Message-ID without brackets, '' when missing. */
  messageId: string
  inReplyTo: string | null
  references: Json<string[]>
  subject: string
  from: Json<Person | null>
  to: Json<Person[]>
  cc: Json<Person[]>
  bcc: Json<Person[]>
  preview: string
  isRead: boolean
  isStarred: boolean
  isAnswered: Defaulted<boolean>
  isDraft: Defaulted<boolean>
  /** IMAP keywords beyond the flags above. */
  keywords: Defaulted<string[]>
  hasAttachments: boolean
  authentication: Json<Authentication> | null
  /** null for what was written here. */
  junk: ColumnType<Junk | null, string | null | undefined, string | null>
  /** As what the mailbox learnt it, so that it is never counted twice. */
  learntAs: Defaulted<'junk' | 'good' | null>
  /** RFC 5321 reverse path, '' for bounces. */
  mailFrom: string
  /** The date shown: of arrival for received mail, of sending for sent mail. */
  date: Date
  /** Generated from subject, people and text. */
  searchText: string
}

/** One message on its way out; each recipient is one delivery. */
export type OutboxMessagesTable = {
  id: string
  /** null for system mail. */
  workspaceId: string | null
  mailboxId: string | null
  /** The copy in Sent; null for what nobody here wrote. */
  sentMessageId: Defaulted<string | null>
  mailFrom: string
  blob: string
  sizeBytes: number
  /** System mail that SYSTEM_MAIL=outbox keeps here: its subject, recipient and link are read from the blob. */
  isHeld: boolean
  createdAt: Date
}

export type DeliveriesTable = {
  id: string
  outboxMessageId: string
  workspaceId: string | null
  recipient: string
  /** A-labels, for grouping by host. */
  recipientDomain: string
  status: 'queued' | 'sending' | 'delivered' | 'failed'
  attempts: Defaulted<number>
  nextAttemptAt: Date
  /** While sending: the number of the worker. */
  claimedBy: number | null
  lastReply: Defaulted<string>
  createdAt: Date
  finishedAt: Date | null
}

/** The ledger: one row per attempt, never changed. */
export type DeliveryAttemptsTable = {
  id: string
  deliveryId: string
  workspaceId: string | null
  at: Date
  host: string
  ip: string
  isTls: boolean
  /** SMTP code, null when there was no answer. */
  code: number | null
  reply: string
  outcome: 'delivered' | 'deferred' | 'failed'
}
