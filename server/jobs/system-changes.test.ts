/** Every job, loop and worker says which changes of a workspace it makes; each such change is met by a test that reads the audit log. */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type SystemChange, systemChanges } from '#server/features/audit/system-changes.ts'
import { loops } from './loops.ts'
import { schedule } from './runner.ts'

const kinds = Object.keys(systemChanges) as SystemChange[]

const claims = ['claimWon', 'claimEnded', 'domainKept', 'domainLost'] as const
const ofChecks = [
  ...(['domainVerified', 'domainActive', 'domainBroken'] as const),
  ...(['claimStarted', 'domainClaimed'] as const),
  ...claims,
  ...(['proofStopped', 'proofBack', 'domainReleased'] as const),
]

/** By jobs and loops. A new one is written here, with what it changes for the people of a workspace; most change nothing. */
const changesOf: Record<string, readonly SystemChange[]> = {
  'settle-ownership': ofChecks,
  recheckDueDomains: ofChecks,
  'end-deletions': ['domainEnded', 'mailboxEnded', 'domainKept'],
  'end-accounts': ['accountEnded'],
  endRightsDue: ['rightEnded'],
  'switch-off-full-webhooks': ['webhookOff'],
  'invoice-month': ['invoiceMonth'],
  'follow-unpaid': ['suspendUnpaid', 'orderWithdrawn'],
  lookAtEvents: ['invoicePaid', 'invoiceReopened', 'buyerChanged'],
  collectPayments: ['invoicePaid', 'invoiceReopened'],
}

/** They have loops of their own. */
const changesOfWorkers: Record<'outbound' | 'webhooks', readonly SystemChange[]> = {
  outbound: ['sendingStopped'],
  webhooks: ['webhookOff'],
}

/** They tell, make backups and files, tidy up, and change nothing of what a workspace has or who may what. */
const CHANGES_NOTHING = [
  ...['mail-domain-alerts', 'mail-operator-stops', 'back-up', 'verify-backup', 'read-again'],
  ...['purge-expired', 'purge-answers', 'purge-invitations', 'purge-dns-links', 'purge-outbox'],
  ...['purge-access-links', 'purge-webhook-events', 'purge-announcements', 'purge-mail-log'],
  ...['purge-audit-log', 'purge-sender-list', 'purge-greylist', 'purge-brakes', 'purge-changes'],
  ...['purge-tombstones', 'purge-vacations', 'purge-writing', 'purge-transfers', 'purge-exports'],
  ...['purge-restores', 'fetch-missed-events', 'purge-stripe-events', 'sweep-blobs'],
  'sweep-freed-blobs',
  ...['storeMailLog', 'answerDues', 'mailSuspensions', 'mailFactorResets', 'mailNewPrograms'],
  'mailRequiredFactors',
  ...['mailDeletions', 'mailWebhooksOff', 'mailReceipts', 'mailWaitingInvoices', 'mailPayments'],
  ...['runImports', 'runExports', 'foldOldTexts', 'tendCertificates', 'fillStructures'],
  ...['watchAlerts', 'watchDatabase'],
]

test('each job and each loop says what it changes', () => {
  const running = [...schedule.map(({ name }) => name), ...loops.map(({ look }) => look.name)]
  expect([...Object.keys(changesOf), ...CHANGES_NOTHING].sort()).toEqual(running.sort())
})

test('each kind of change is made by one of them', () => {
  const made = new Set([changesOf, changesOfWorkers].flatMap((each) => Object.values(each).flat()))
  expect([...made].sort()).toEqual(kinds.toSorted())
})

test('each kind of change is met by a test that reads the log', async () => {
  let tests = ''
  for await (const file of glob('server/{features,http}/**/*.test.ts')) {
    const text = readFileSync(file, 'utf8')
    if (text.includes('linesBySystem(')) tests += text
  }
  expect(kinds.filter((kind) => !tests.includes(`'${kind}'`))).toEqual([])
})
