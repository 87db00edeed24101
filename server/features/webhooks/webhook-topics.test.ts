/** Each topic of the contract is told by the action that it names, with the data that it promises. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  WEBHOOK_TOPICS,
  type WebhookTopic,
  webhookTopics,
} from '#contract/developers/webhook-topics.ts'
import { verdict } from '#server/dns/verdict.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { toUser } from '#server/features/accounts/who.ts'
import { issueInvoice } from '#server/features/billing/issue-invoice.ts'
import { markInvoicePaid } from '#server/features/billing/settle-invoice.ts'
import { type Checked, storeCheck } from '#server/features/checks/store-check.ts'
import { deleteDomainLater, deleteMailboxLater } from '#server/features/deletions/delete-later.ts'
import { restoreDeleted } from '#server/features/deletions/restore.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { readDomain } from '#server/features/domains/domain-queries.ts'
import { readRecords } from '#server/features/domains/record-queries.ts'
import { createMailbox, editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { removeMember } from '#server/features/members/change-members.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { resumeWorkspace, suspendWorkspace } from '#server/features/operating/workspaces.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { claimDueDelivery, messageOf } from '#server/features/outbox/claim-deliveries.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import { startClaim } from '#server/features/ownership/claim-domain.ts'
import { giveUpDomain } from '#server/features/ownership/give-up-domain.ts'
import { finishAttempt } from '#server/features/sending/finish-attempt.ts'
import { joinWorkspace } from '#server/features/workspaces/answer-invitation.ts'
import { inviteMember } from '#server/features/workspaces/invite.ts'
import { mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, type Domain, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { addWebhook, changeWebhook } from './webhooks.ts'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp({ config: { billing: 'off' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
})

const attempted = async (outcome: Attempt['outcome']): Promise<void> => {
  const { workspaceId, id: mailboxId, email: mailFrom } = ada
  const raw = Buffer.from(letterText({ subject: 'Engines', body: 'Hello.' }))
  const recipients = ['grace@elsewhere.example']
  await enqueueMessage(app, app.db, { workspaceId, mailboxId, mailFrom, recipients, raw })
  const delivery = await claimDueDelivery(app, 7, [])
  const message = delivery && (await messageOf(app, delivery))
  if (!delivery || !message) throw new Error('nothing was due')
  const where = { host: 'mx.elsewhere.example', ip: '192.0.2.1', isTls: true }
  const attempt = { ...where, outcome, code: 250, reply: 'so it was' }
  await finishAttempt(app, { by: 7, delivery, message, raw }, [attempt], null)
}

const setting = { zone: null, nameServers: [], mx: [], spf: [], ourSpf: '', dmarc: [] } as never

/** A check that finds every record, or all but this one. */
const checked = async (id: string, missing?: string): Promise<void> => {
  app.clock.advance({ minutes: 1 })
  const row = await readDomain(app.db, who.workspaceId, id)
  if (!row) throw new Error('the domain is gone')
  const rows = await readRecords(app.db, who.workspaceId, id)
  const found = rows.map((record) => ({
    ...{ record, sightings: null, isJudged: true },
    verdict: verdict(record.purpose === missing ? 'different' : 'verified', [], '', ''),
  }))
  await storeCheck(app, row, { checked: found as unknown as Checked[], setting }, app.clock.now())
}

const added = async (): Promise<string> =>
  (await addDomain(app, who, { name: `x${Math.random().toString(36).slice(2)}.example` }))._id

const joined = async (): Promise<string> => {
  const user = await aUser(app)
  await inviteMember(app, who, { email: user.email, role: 'Editor' })
  const token = await mailedToken(app, user.email, 'invitation')
  const own = await aMember(app)
  await joinWorkspace(
    app,
    { ...own, userId: user.id, user: toUser({ ...user, userId: user.id }) },
    token,
  )
  return user.id
}

const claimedByOthers = async (): Promise<void> => {
  const other = await aMember(app)
  const { _id } = await addDomain(app, other, { name: domain.name })
  const holder = await readDomain(app.db, who.workspaceId, domain.id)
  const own = await readDomain(app.db, other.workspaceId, _id)
  if (!holder || !own) throw new Error('a domain is gone')
  const asker = { id: own.id, name: own.name, isAskedFor: true }
  const state = { holder, namesakes: [holder, own], claims: [] }
  await app.db.transaction().execute((tx) => startClaim(app, tx, asker, state, () => 'everywhere'))
}

const issued = () =>
  app.db.transaction().execute((tx) => issueInvoice(app, tx, who.workspaceId, [ada]))

const actions: Record<WebhookTopic, () => Promise<unknown>> = {
  'mail.received': () =>
    receiveMessage(
      app,
      app.db,
      {
        raw: Buffer.from(letterText({ subject: 'Engines', body: 'Hello.' })),
        ...{ mailFrom: 'eve@example.net', authentication: null },
      },
      [{ mailboxId: ada.id, workspaceId: ada.workspaceId }],
    ),
  'mail.delivered': () => attempted('delivered'),
  'mail.deferred': () => attempted('deferred'),
  'mail.bounced': () => attempted('failed'),
  'domain.added': added,
  'domain.verified': async () => checked(await added()),
  'domain.active': async () => checked(await added()),
  'domain.broken': async () => {
    const id = await added()
    await checked(id)
    await checked(id, 'dkim')
  },
  'domain.deleted': () => deleteDomainLater(app, who, domain.id),
  'domain.restored': async () => {
    await app.db
      .updateTable('domains')
      .set({ endsAt: new Date(app.clock.now().getTime() + 1_000) })
      .where('id', '=', domain.id)
      .execute()
    await restoreDeleted(app, who, domain.id)
  },
  'domain.claimed': claimedByOthers,
  'domain.lost': async () => {
    const row = await readDomain(app.db, who.workspaceId, domain.id)
    if (!row) throw new Error('the domain is gone')
    await app.db.transaction().execute((tx) => giveUpDomain(app, tx, row, 'claimed'))
  },
  'mailbox.created': () =>
    createMailbox(app, who, {
      ...{ email: `grace@${domain.name}`, domain: domain.name },
      ...{ firstName: 'Grace', lastName: 'Hopper' },
    } as Parameters<typeof createMailbox>[2]),
  'mailbox.suspended': () => editMailbox(app, who, ada.id, { status: 'suspended' }),
  'mailbox.deleted': () => deleteMailboxLater(app, who, ada.id),
  'member.joined': joined,
  'member.left': async () => removeMember(app, who, await joined()),
  'workspace.suspended': () => suspendWorkspace(app, TERMINAL, who.workspaceId, 'Junk'),
  'workspace.resumed': () => resumeWorkspace(app, TERMINAL, who.workspaceId),
  'invoice.created': issued,
  'invoice.paid': async () => markInvoicePaid(app, (await issued()).number),
}

const events = (workspaceId: string) =>
  app.db
    .selectFrom('webhookEvents')
    .select(['topic', 'data', 'about'])
    .where('workspaceId', '=', workspaceId)
    .orderBy('seq')
    .execute()

test.each(WEBHOOK_TOPICS)('%s is told by its action, as the contract says', async (topic) => {
  await addWebhook(app, who, { url: 'http://hooks.example/', topics: [topic] })
  const elsewhere = await aMember(app)
  await addWebhook(app, elsewhere, { url: 'http://hooks.example/', topics: [...WEBHOOK_TOPICS] })
  await actions[topic]()
  const told = await events(who.workspaceId)
  expect(told.map((event) => event.topic)).toEqual([topic])
  webhookTopics[topic].data.strict().parse(told[0]?.data)
  expect(await events(elsewhere.workspaceId)).toEqual([])
})

test.each(WEBHOOK_TOPICS)('the example of %s is as its data', (topic) => {
  expect(webhookTopics[topic].data.strict().parse(webhookTopics[topic].example)).toEqual(
    webhookTopics[topic].example,
  )
})

test('without a webhook for it, or with one that is off, nothing is written', async () => {
  const form = { url: 'http://hooks.example/', topics: [...WEBHOOK_TOPICS] }
  const { _id } = await addWebhook(app, who, form)
  await changeWebhook(app, who, _id, { isOn: false })
  await addWebhook(app, who, { ...form, topics: ['invoice.paid'] })
  const others = WEBHOOK_TOPICS.filter((topic) => !/deleted|paid|lost/.test(topic))
  for (const topic of others) await actions[topic]()
  expect(await events(who.workspaceId)).toEqual([])
})
