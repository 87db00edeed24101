/** Every table; each is declared once, in `rows/` (decision 049). Columns are snake_case in PostgreSQL, camelCase here. */
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
  PreferencesTable,
  SessionsTable,
  ThrottlesTable,
  UsersTable,
} from './rows/account-tables.ts'
import type {
  CardCustomersTable,
  CardPaymentsTable,
  CardRefundsTable,
  LedgerEntriesTable,
  StripeEventsTable,
} from './rows/card-tables.ts'
import type {
  AcmeAccountsTable,
  AcmeAnswersTable,
  CertificatesTable,
} from './rows/certificate-tables.ts'
import type {
  BulkChangesTable,
  ConversationsTable,
  FolderDaysTable,
  FreedBlobsTable,
  FreedSegmentsTable,
  MailboxKeywordsTable,
  MessageStructuresTable,
  MessagesReadInPartTable,
  MessageTextsTable,
  StructureFillingTable,
  TextFoldingTable,
} from './rows/conversation-tables.ts'
import type { ApiKeysTable, IdempotencyKeysTable } from './rows/developer-tables.ts'
import type {
  DnsLinkDomainsTable,
  DnsLinksTable,
  DomainAlertsTable,
  DomainClaimsTable,
  DomainKeysTable,
  DomainRecordChangesTable,
  DomainRecordsTable,
  DomainSettingsTable,
  DomainsTable,
  MissingProofsTable,
  ReleasedDomainsTable,
  VerifiedDomainsTable,
} from './rows/domain-tables.ts'
import type {
  FactorChallengesTable,
  PasskeysTable,
  RecoveryCodesTable,
  RequiredFactorsTable,
  SecondFactorsTable,
  TrustedBrowsersTable,
} from './rows/factor-tables.ts'
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
  AddressesTable,
  AliasesTable,
  CatchAllsTable,
  FoldersTable,
  MailboxesTable,
  MessagesTable,
  PictureSendersTable,
  TombstonesTable,
  UnsubscriptionsTable,
} from './rows/mailbox-tables.ts'
import type {
  AlertNewsTable,
  AlertsTable,
  AnnouncementDismissalsTable,
  AnnouncementsTable,
  BackupsTable,
  ListedSendersTable,
  MailLogTable,
  OperatorActionsTable,
  OperatorLinksTable,
  OperatorReceiptsTable,
  OperatorsTable,
  RefusedMailsTable,
} from './rows/operator-tables.ts'
import type {
  DeliveriesTable,
  DeliveryAttemptsTable,
  OutboxMessagesTable,
  StsPoliciesTable,
  SystemKeysTable,
  TestMailsTable,
} from './rows/outbox-tables.ts'
import type { AppPasswordsTable, ProgramUsesTable } from './rows/program-tables.ts'
import type {
  BouncesTable,
  ComplaintsTable,
  ContactsTable,
  CorrespondentsTable,
  DraftsTable,
  SendingStopsTable,
  SendingsTable,
  SendsTable,
  UploadsTable,
} from './rows/sending-tables.ts'
import type { WebFilesTable } from './rows/web-tables.ts'
import type {
  WebhookAttemptsTable,
  WebhookEventsTable,
  WebhookLanesTable,
  WebhooksTable,
} from './rows/webhook-tables.ts'
import type {
  AuditLogTable,
  CompanyProfilesTable,
  InstallationTable,
  InvitationLinksTable,
  InvitationsTable,
  InvoiceLinesTable,
  InvoiceNumbersTable,
  InvoicesTable,
  MembersTable,
  PaymentsTable,
  SavedViewsTable,
  WorkspaceExportsTable,
  WorkspacesTable,
} from './rows/workspace-tables.ts'

/** The junk model of a mailbox: see server/standards/junk/junk-model.ts. */
export type JunkModelsTable = {
  mailboxId: string
  workspaceId: string
  counters: Buffer
  junkCount: number
  goodCount: number
}

/** Deferred senders, and those that have retried. The key is a hash of sender and recipient. */
export type GreylistTable = {
  key: Buffer
  seenAt: Date
  /** null: has not retried yet. */
  passedAt: Date | null
  expiresAt: Date
}

export type Tables = {
  installation: InstallationTable
  users: UsersTable
  identities: IdentitiesTable
  sessions: SessionsTable
  knownDevices: KnownDevicesTable
  preferences: PreferencesTable
  mailLinks: MailLinksTable
  oauthStarts: OauthStartsTable
  throttles: ThrottlesTable
  secondFactors: SecondFactorsTable
  passkeys: PasskeysTable
  recoveryCodes: RecoveryCodesTable
  trustedBrowsers: TrustedBrowsersTable
  factorChallenges: FactorChallengesTable
  requiredFactors: RequiredFactorsTable
  workspaces: WorkspacesTable
  workspaceExports: WorkspaceExportsTable
  webhooks: WebhooksTable
  webhookEvents: WebhookEventsTable
  webhookLanes: WebhookLanesTable
  webhookAttempts: WebhookAttemptsTable
  auditLog: AuditLogTable
  members: MembersTable
  invitations: InvitationsTable
  invitationLinks: InvitationLinksTable
  companyProfiles: CompanyProfilesTable
  savedViews: SavedViewsTable
  invoices: InvoicesTable
  invoiceNumbers: InvoiceNumbersTable
  invoiceLines: InvoiceLinesTable
  payments: PaymentsTable
  cardCustomers: CardCustomersTable
  cardPayments: CardPaymentsTable
  cardRefunds: CardRefundsTable
  ledgerEntries: LedgerEntriesTable
  stripeEvents: StripeEventsTable
  domains: DomainsTable
  verifiedDomains: VerifiedDomainsTable
  domainRecords: DomainRecordsTable
  domainSettings: DomainSettingsTable
  domainRecordChanges: DomainRecordChangesTable
  domainAlerts: DomainAlertsTable
  domainKeys: DomainKeysTable
  missingProofs: MissingProofsTable
  domainClaims: DomainClaimsTable
  releasedDomains: ReleasedDomainsTable
  dnsLinks: DnsLinksTable
  dnsLinkDomains: DnsLinkDomainsTable
  systemKeys: SystemKeysTable
  mailboxes: MailboxesTable
  mailboxReaders: MailboxReadersTable
  accessLinks: AccessLinksTable
  accessEntries: AccessEntriesTable
  appPasswords: AppPasswordsTable
  programUses: ProgramUsesTable
  apiKeys: ApiKeysTable
  idempotencyKeys: IdempotencyKeysTable
  certificates: CertificatesTable
  operators: OperatorsTable
  operatorLinks: OperatorLinksTable
  operatorActions: OperatorActionsTable
  operatorReceipts: OperatorReceiptsTable
  backups: BackupsTable
  alertNews: AlertNewsTable
  alerts: AlertsTable
  refusedMails: RefusedMailsTable
  mailLog: MailLogTable
  listedSenders: ListedSendersTable
  announcements: AnnouncementsTable
  announcementDismissals: AnnouncementDismissalsTable
  acmeAccounts: AcmeAccountsTable
  acmeAnswers: AcmeAnswersTable
  addresses: AddressesTable
  aliases: AliasesTable
  catchAlls: CatchAllsTable
  folders: FoldersTable
  messages: MessagesTable
  messageTexts: MessageTextsTable
  messageStructures: MessageStructuresTable
  mailboxKeywords: MailboxKeywordsTable
  structureFilling: StructureFillingTable
  freedBlobs: FreedBlobsTable
  freedSegments: FreedSegmentsTable
  webFiles: WebFilesTable
  textFolding: TextFoldingTable
  conversations: ConversationsTable
  folderDays: FolderDaysTable
  bulkChanges: BulkChangesTable
  tombstones: TombstonesTable
  pictureSenders: PictureSendersTable
  unsubscriptions: UnsubscriptionsTable
  junkModels: JunkModelsTable
  greylist: GreylistTable
  outboxMessages: OutboxMessagesTable
  deliveries: DeliveriesTable
  deliveryAttempts: DeliveryAttemptsTable
  stsPolicies: StsPoliciesTable
  testMails: TestMailsTable
  sendings: SendingsTable
  correspondents: CorrespondentsTable
  bounces: BouncesTable
  sendingStops: SendingStopsTable
  complaints: ComplaintsTable
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
