/** Every kind of system mail with values as people have them: for a test of all, and for a page that shows them. */
import * as accountMails from '#server/features/accounts/account-mails.ts'
import { forgottenMail } from '#server/features/accounts/holders.ts'
import { factorResetMail } from '#server/features/accounts/notices/factor-reset-mails.ts'
import { newSignInMail } from '#server/features/accounts/notices/new-sign-in.ts'
import { keyMadeMail, keyWidenedMail } from '#server/features/accounts/notices/security-mails.ts'
import * as suspensionMails from '#server/features/accounts/notices/suspension-mails.ts'
import { welcomeMail } from '#server/features/accounts/notices/welcome-mail.ts'
import { wrongCodesMail } from '#server/features/accounts/notices/wrong-codes.ts'
import type { InvoiceRow } from '#server/features/billing/billing-store.ts'
import * as invoiceMails from '#server/features/billing/invoice-mail.ts'
import type { PaymentRow } from '#server/features/billing/stripe/card-store.ts'
import * as paymentMails from '#server/features/billing/stripe/payment-mails.ts'
import { reasonOf } from '#server/features/billing/stripe/refusals.ts'
import * as unpaidMails from '#server/features/billing/unpaid-mails.ts'
import { alertMail } from '#server/features/checks/mail-alerts.ts'
import { linkMail } from '#server/features/checks/mail-link.ts'
import * as deletionMails from '#server/features/deletions/deletion-mails.ts'
import * as exportMails from '#server/features/exports/export-mails.ts'
import { factorChangedMail } from '#server/features/factors/factor-mails.ts'
import { accessMail } from '#server/features/mailboxes/access/access-links.ts'
import { givenMail, linkUsedMail } from '#server/features/mailboxes/access/access-mails.ts'
import { factorRequiredMail } from '#server/features/members/mail-required-factor.ts'
import { movedMail } from '#server/features/moves/move-domain.ts'
import {
  accountEndedMail,
  accountEndsMail,
  accountKeptMail,
  cannotEndMail,
} from '#server/features/operating/leaving/leaving-mails.ts'
import { receiptMail } from '#server/features/operating/mail-receipts.ts'
import type { Mail } from '#server/features/outbox/system-mail.ts'
import * as ownershipMails from '#server/features/ownership/ownership-mails.ts'
import { appPasswordNeededMail } from '#server/features/programs/mail-app-password-needed.ts'
import { newProgramMail } from '#server/features/programs/mail-new-programs.ts'
import { limitMail, operatorStopMail, stopMail } from '#server/features/sending/brake-mails.ts'
import { offMail } from '#server/features/webhooks/switch-off.ts'
import { invitationMail } from '#server/features/workspaces/invite.ts'

const publicUrl = 'https://mail.example.net'
const NAME = 'Olga'
const ADMIN = 'gerda@maier-garten.example'
const BOX = 'info@weber-bakery.example'
const TOKEN = 'kN2pVbq0c7Zt4xWmR8sYfHd1LgUeJ3oA6iPvTnQyXzE'
const linkTo = (path: string) => `${publicUrl}/${path}`
const ending = { label: 'It was not me: end that session', link: linkTo('end-session?token=1.2') }
const at = '23 Nov 2026, 14:30 (Europe/Berlin)'
const day = (text: string) => new Date(`${text}T09:00:00Z`)

const about = {
  domain: {
    id: 'd1',
    name: 'xn--bckerei-weber-bfb.example',
    ownershipToken: 'b5f0c2d7e1a94c3f8b6d',
  },
  publicUrl,
}
const claim = { decidesAt: day('2026-11-30'), isHolderProven: false }
const missing = {
  since: day('2026-11-01'),
  stopsAt: day('2026-11-08'),
  releasesAt: day('2026-12-01'),
} as Parameters<typeof ownershipMails.warnedMail>[1]

const record = {
  ...{
    domainId: 'd1',
    domainName: 'weber-bakery.example',
    purpose: 'dkim' as const,
    type: 'TXT' as const,
  },
  name: 'ms1._domainkey.weber-bakery.example',
  value: `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(8)}`,
  priority: null,
  found: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0'],
  explanation: 'The DKIM record at ms1._domainkey.weber-bakery.example is cut off.',
  fix: 'Change the TXT record at ms1._domainkey.weber-bakery.example to the value shown.',
}

const app = { config: { publicUrl } }
const payment = {
  ...{ amountCents: 84_600, reason: reasonOf('insufficient_funds') },
  ...{ disputedCents: 0, isDisputed: false },
} as PaymentRow

const invoice: InvoiceRow = {
  ...{
    id: 'i1',
    workspaceId: 'w1',
    series: '9F3A02',
    number: 42,
    kind: 'invoice',
    correctsId: null,
  },
  ...{ amountCents: 84_600, mailboxCount: 423, currency: 'eur', taxName: 'VAT', taxRate: 1900 },
  ...{ taxCents: 13_507, periodStart: day('2026-11-01'), periodEnd: day('2026-12-01') },
  ...{ createdAt: day('2026-11-23'), dueAt: day('2026-12-07'), note: '' },
  ...{ sellerName: 'Nordpost', sellerAddress: 'Hafenweg 1\n20457 Hamburg', sellerVatId: 'DE 999' },
  ...{ sellerEmail: 'money@nordpost.example', paymentDetails: 'IBAN DE02 1203 0000 0000 2020 51' },
  ...{ buyerName: 'Maier Garten', buyerAddress: 'Gartenweg 2\n10115 Berlin', buyerVatId: '' },
  ...{ status: 'Due', paidAt: null, creditedCents: 0, reminders: 2, remindedAt: null },
  ...{ suspendedAt: null, mailWaits: false, collection: 'hand', collectedCents: 0 },
  ...{ paymentState: null, paymentReason: '' },
}
const deletion = { deletedBy: ADMIN, endsAt: day('2026-12-07'), mailboxes: 9 }

/** By the name of the function that writes it, and a word where it has several forms. */
export const everyMail: Readonly<Record<string, Mail>> = {
  verificationMail: accountMails.verificationMail(NAME, linkTo(`verify-email?token=${TOKEN}`)),
  noVerificationMail: accountMails.noVerificationMail(NAME, linkTo('login')),
  noPasswordMail: accountMails.noPasswordMail(NAME, linkTo('forgot-password')),
  welcomeMail: welcomeMail(NAME, publicUrl),
  resetMail: accountMails.resetMail(NAME, linkTo(`create-new-password?token=${TOKEN}`)),
  noResetMail: accountMails.noResetMail(NAME, linkTo('login')),
  googleJoinedMail: accountMails.googleJoinedMail(NAME, linkTo('forgot-password')),
  passwordChangedMail: accountMails.passwordChangedMail(NAME, linkTo('forgot-password')),
  ownPasswordChangedMail: accountMails.ownPasswordChangedMail(NAME, linkTo('end-session')),
  mailboxPasswordChangedMail: accountMails.mailboxPasswordChangedMail(NAME, linkTo('end-session')),
  newEmailMail: accountMails.newEmailMail(NAME, linkTo(`verify-email?token=${TOKEN}`)),
  noNewEmailMail: accountMails.noNewEmailMail(NAME, linkTo('login')),
  emailChangeRequestedMail: accountMails.emailChangeRequestedMail(
    NAME,
    ADMIN,
    linkTo('forgot-password'),
  ),
  emailChangedMail: accountMails.emailChangedMail(NAME, ADMIN, {
    ...{ link: linkTo('end-session'), helpUrl: publicUrl },
  }),
  newSignInMail: newSignInMail(
    { firstName: NAME, email: ADMIN, mailboxId: null },
    { at, ip: '2001:db8:4::17', browser: 'Firefox on Windows' },
    publicUrl,
  ),
  'newSignInMail of a holder': newSignInMail(
    { firstName: NAME, email: BOX, mailboxId: 'b1' },
    { at, ip: '192.0.2.17', browser: 'A program' },
    publicUrl,
  ),
  factorChangedMail: factorChangedMail(NAME, 'passkey-added', ending, { isFirst: true }),
  'factorChangedMail of a recovery code': factorChangedMail(NAME, 'recovery-code-used', ending, {
    left: 9,
  }),
  wrongCodesMail: wrongCodesMail(NAME, linkTo('forgot-password')),
  appPasswordNeededMail: appPasswordNeededMail(
    NAME,
    BOX,
    linkTo('dashboard/mailbox-setting'),
    'factor',
  ),
  factorRequiredMail: factorRequiredMail(NAME, 'Weber Bakery', new Date('2026-11-30'), publicUrl),
  'factorRequiredMail of the operator': factorRequiredMail(NAME, null, null, publicUrl),
  factorResetMail: factorResetMail(NAME, linkTo('')),
  keyMadeMail: keyMadeMail({ firstName: NAME, email: ADMIN }, 'Onboarding', ending),
  keyWidenedMail: keyWidenedMail({ firstName: NAME, email: ADMIN }, 'Onboarding', ending),
  'appPasswordNeededMail of the workspace': appPasswordNeededMail(
    NAME,
    BOX,
    linkTo('dashboard/mail-box-settings?mailbox=b1#app-passwords'),
    'own-password',
  ),
  accountEndsMail: accountEndsMail(
    { name: NAME, email: ADMIN },
    new Date('2026-12-11'),
    linkTo('dashboard/security'),
  ),
  accountKeptMail: accountKeptMail({ name: NAME, email: ADMIN }, publicUrl),
  accountEndedMail: accountEndedMail({ name: NAME, email: ADMIN }, publicUrl),
  cannotEndMail: cannotEndMail(
    {
      ...{ name: NAME, email: ADMIN },
      places: [{ id: 'w1', name: 'Engines', role: 'Admin', isLastAdmin: true }],
    },
    linkTo('dashboard/security'),
  ),
  newProgramMail: newProgramMail({
    ...{ firstName: NAME, address: BOX, name: 'My phone', scope: 'imap', at },
    ...{ program: 'Thunderbird 153.0 on Linux', ip: '2001:db8:4::17' },
    link: linkTo('dashboard/mail-box-settings?mailbox=b1#app-passwords'),
  }),
  'newProgramMail of an own password': newProgramMail({
    ...{ firstName: NAME, address: BOX, name: null, scope: 'smtp', at },
    ...{ program: '', ip: '192.0.2.17' },
    link: linkTo('dashboard/mail-box-settings?mailbox=b1#app-passwords'),
  }),
  forgottenMail: forgottenMail(
    { firstName: NAME },
    BOX,
    linkTo('dashboard/mailbox-access?mailbox=b1'),
  ),
  invitationMail: invitationMail({
    ...{
      inviter: `Gerda Maier (${ADMIN})`,
      workspaceName: 'Weber & Sons <bakery>',
      role: 'Editor',
    },
    link: linkTo(`invitation?token=${TOKEN}`),
  }),
  accessMail: accessMail({
    ...{ senderEmail: ADMIN, email: BOX, isReset: false },
    link: linkTo(`mailbox-access?token=${TOKEN}`),
  }),
  'accessMail for a reset': accessMail({
    ...{ senderEmail: ADMIN, email: BOX, isReset: true },
    link: linkTo(`mailbox-access?token=${TOKEN}`),
  }),
  linkUsedMail: linkUsedMail({
    ...{ email: BOX, isNew: true, at },
    link: linkTo('dashboard/mailbox-access?mailbox=b1'),
  }),
  givenMail: givenMail({
    ...{ email: BOX, giverEmail: ADMIN, canSend: true, until: at },
    link: linkTo('dashboard/view-mail?mailbox=b1'),
    setUpLink: linkTo('dashboard/set-up-mail?mailbox=b1'),
  }),
  'suspendedMail of a holder': suspensionMails.suspendedMail(
    { firstName: NAME, email: BOX },
    linkTo('login'),
  ),
  resumedMail: suspensionMails.resumedMail({ firstName: NAME, email: BOX }, linkTo('login')),
  linkMail: linkMail({
    ...{ senderEmail: ADMIN, domainNames: ['bäckerei-weber.example'] },
    ...{ link: linkTo(`dns#${TOKEN}`), expiresAt: day('2026-12-01') },
  }),
  alertMail: alertMail({ failing: [record], mended: [], publicUrl }),
  'alertMail of mended records': alertMail({ failing: [], mended: [record], publicUrl }),
  operatorStopMail: operatorStopMail(
    { email: BOX, mailboxId: 'b1', publicUrl },
    'Forty people complained about its newsletter within a day',
  ),
  stopMail: stopMail(
    { email: BOX, mailboxId: 'b1', publicUrl },
    {
      failed: 12,
      ended: 30,
      example: '550 5.1.1 The account that you tried to reach does not exist',
    },
  ),
  limitMail: limitMail(
    { email: BOX, mailboxId: 'b1', publicUrl },
    'This mailbox may write to 500 people in 24 hours.',
  ),
  movedMail: movedMail(
    {
      domainName: 'weber-bakery.example',
      from: { id: 'w1', name: 'Agency', role: 'Admin' },
      to: { id: 'w2', name: 'Weber & Sons', role: 'Admin' },
    } as Parameters<typeof movedMail>[0],
    ADMIN,
    linkTo('dashboard/mailbox-access'),
  ),
  claimedMail: ownershipMails.claimedMail(about, claim),
  recordGoneMail: ownershipMails.recordGoneMail(about, claim.decidesAt),
  reminderMail: ownershipMails.reminderMail(about, claim.decidesAt),
  domainKeptMail: ownershipMails.domainKeptMail(about, 'lapsed'),
  lostMail: ownershipMails.lostMail(about, 12),
  claimStartedMail: ownershipMails.claimStartedMail(about, claim),
  endedMail: ownershipMails.endedMail(about, 'both-proven'),
  wonMail: ownershipMails.wonMail(about),
  warnedMail: ownershipMails.warnedMail(about, missing),
  stoppedMail: ownershipMails.stoppedMail(about, missing),
  lastCallMail: ownershipMails.lastCallMail(about, missing, 12),
  releasedMail: ownershipMails.releasedMail(about, 12),
  backMail: ownershipMails.backMail(about),
  invoiceMail: invoiceMails.invoiceMail(app, invoice),
  creditMail: invoiceMails.creditMail(
    app,
    {
      ...invoice,
      kind: 'credit',
      amountCents: -1_800,
      note: 'The domain weber-bakery.example moved.',
    },
    'MS-9F3A02-000041',
  ),
  overdueMail: unpaidMails.overdueMail(app, invoice, day('2026-12-28')),
  refusedMail: paymentMails.refusedMail(app, invoice, payment),
  confirmationMail: paymentMails.refusedMail(app, invoice, {
    ...payment,
    reason: reasonOf('authentication_required'),
  }),
  reopenedMail: paymentMails.reopenedMail(app, invoice, payment),
  disputedMail: paymentMails.reopenedMail(app, invoice, {
    ...{ ...payment, disputedCents: 84_600, isDisputed: true },
  }),
  suspendedMail: unpaidMails.suspendedMail(app, invoice, 423),
  domainsDeletedMail: deletionMails.domainsDeletedMail(
    [{ ...deletion, name: 'weber-bakery.example' }],
    { ...deletion, name: 'weber-bakery.example' },
    linkTo('dashboard/domains'),
  ),
  workspaceDeletedMail: deletionMails.workspaceDeletedMail(
    { ...deletion, name: 'Weber & Sons', domains: 3 },
    linkTo('dashboard/settings'),
  ),
  askedMail: exportMails.askedMail(app, { name: 'Weber & Sons', askedBy: ADMIN }),
  doneMail: exportMails.doneMail(app, 'Weber & Sons'),
  failedMail: exportMails.failedMail(app, 'Weber & Sons', 'The disk has no room for it.'),
  offMail: offMail(app, {
    ...{ id: 'w1', name: 'Weber & Sons', reason: 'failing' },
    host: 'hooks.weber-bakery.example',
  }),
  receiptMail: receiptMail(app, {
    ...{ id: '0190d5a0-0000-7000-8000-000000000000', at: day('2026-11-23') },
    subject: 'Your Mailstead workspace was deleted by the operator',
    lines: ['The operator of this installation deleted the workspace “Weber & Sons”.'],
  }),
}
