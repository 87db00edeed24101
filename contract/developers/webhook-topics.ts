/** What webhooks tell of: each topic in words, with the shape of its data and an example (decision 122). */
import { z } from 'zod'
import * as fields from '../fields.ts'

const at = z.iso.datetime()

const ofMailbox = {
  mailboxId: fields.id,
  /** Its address. */
  mailbox: z.string(),
}
const ofDelivery = {
  ...ofMailbox,
  /** The copy in Sent; null for a mail that the program wrote, such as a vacation reply. */
  messageId: fields.id.nullable(),
  deliveryId: fields.id,
  recipient: z.string(),
  /** What the recipient's server said last, or why it could not be asked. */
  reply: z.string(),
  /** So many tries were made. */
  attempts: z.number().int(),
}
const ofDomain = { domainId: fields.id, name: z.string() }
/** `endsAt` null: it cannot be taken back. */
const ofDeletion = { endsAt: at.nullable() }
const ofInvoice = {
  invoiceId: fields.id,
  /** As it is printed, such as 9F3A02-0042. */
  number: z.string(),
  amountCents: z.number().int(),
  currency: z.string(),
}
const ofWorkspace = { workspaceId: fields.id, name: z.string() }
const ofMember = { userId: fields.id, email: z.string() }

// What several topics tell, by a name in the OpenAPI document.
export const mailboxEventData = z.object(ofMailbox)
export const deliveryEventData = z.object(ofDelivery)
export const domainEventData = z.object(ofDomain)
export const invoiceEventData = z.object(ofInvoice)
export const memberEventData = z.object(ofMember)

const id = (last: string) => `019a4b00-0000-7000-8000-0000000000${last}`
const mailbox = { mailboxId: id('01'), mailbox: 'ada@example.com' }
const delivery = {
  ...mailbox,
  ...{ messageId: id('02'), deliveryId: id('03'), recipient: 'grace@example.net', attempts: 1 },
}
const domain = { domainId: id('04'), name: 'example.com' }
const invoice = {
  ...{ invoiceId: id('05'), number: '9F3A02-0042', amountCents: 600, currency: 'usd' },
}
const workspace = { workspaceId: id('07'), name: 'Analytical Engines' }
const member = { userId: id('06'), email: 'ada@example.com' }
const endsAt = '2026-12-11T12:00:00.000Z'

type Declared = { title: string; text: string; data: z.ZodObject; example: object }

/** `data` and `example` of each; the order is that of the documents and of the form. */
export const webhookTopics = {
  'mail.received': {
    title: 'A mail came in',
    text: 'A mail was filed in a mailbox. It does not say from whom or about what: that is for the mailbox’s readers.',
    data: z.object({
      ...ofMailbox,
      messageId: fields.id,
      folder: z.enum(['inbox', 'junk']),
      size: z.number().int(),
    }),
    example: { ...mailbox, messageId: id('02'), folder: 'inbox', size: 4_096 },
  },
  'mail.delivered': {
    title: 'A mail was delivered',
    text: 'The server of a recipient took a mail, or the mailbox is here.',
    data: deliveryEventData,
    example: { ...delivery, reply: '250 OK' },
  },
  'mail.deferred': {
    title: 'A mail is delayed',
    text: 'A try to deliver a mail failed, and another one follows.',
    data: deliveryEventData,
    example: { ...delivery, reply: '451 4.7.1 Please try again later' },
  },
  'mail.bounced': {
    title: 'A mail could not be delivered',
    text: 'A mail was refused for good, or its time was over.',
    data: deliveryEventData,
    example: { ...delivery, reply: '550 5.1.1 No such user' },
  },
  'domain.added': {
    title: 'A domain was added',
    text: 'A domain is new in the workspace; nothing is proven yet.',
    data: domainEventData,
    example: domain,
  },
  'domain.verified': {
    title: 'A domain is verified',
    text: 'It is proven that the workspace owns a domain.',
    data: domainEventData,
    example: domain,
  },
  'domain.active': {
    title: 'A domain is active',
    text: 'All required DNS records of a domain are there: it sends, and its mail comes here. Also after it was broken.',
    data: domainEventData,
    example: domain,
  },
  'domain.broken': {
    title: 'A domain is broken',
    text: 'A required DNS record of an active domain is missing or wrong.',
    data: z.object({ ...ofDomain, records: z.array(z.string()) }),
    example: { ...domain, records: ['dkim'] },
  },
  'domain.deleted': {
    title: 'A domain was deleted',
    text: 'A domain was deleted. Until it ends it can be taken back.',
    data: z.object({ ...ofDomain, ...ofDeletion }),
    example: { ...domain, endsAt },
  },
  'domain.restored': {
    title: 'A domain was taken back',
    text: 'A domain that was deleted is there again, with its mailboxes.',
    data: z.object(ofDomain),
    example: domain,
  },
  'domain.claimed': {
    title: 'A domain is claimed',
    text: 'Another workspace has proven that it owns a domain of this one. It goes there unless the own record is in DNS by then.',
    data: z.object({ ...ofDomain, decidesAt: at }),
    example: { ...domain, decidesAt: endsAt },
  },
  'domain.lost': {
    title: 'A domain was lost',
    text: 'A domain went to a workspace that claimed it, or was released because its proof stayed away from DNS. Its mailboxes are gone.',
    data: z.object({ ...ofDomain, reason: z.enum(['claimed', 'proof-missing']) }),
    example: { ...domain, reason: 'claimed' },
  },
  'mailbox.created': {
    title: 'A mailbox was created',
    text: 'A mailbox is new in the workspace.',
    data: mailboxEventData,
    example: mailbox,
  },
  'mailbox.suspended': {
    title: 'A mailbox was suspended',
    text: 'A mailbox was suspended: it still receives, but nobody reads it or sends from it.',
    data: mailboxEventData,
    example: mailbox,
  },
  'mailbox.deleted': {
    title: 'A mailbox was deleted',
    text: 'A mailbox was deleted. Until it ends it can be taken back.',
    data: z.object({ ...ofMailbox, ...ofDeletion }),
    example: { ...mailbox, endsAt },
  },
  'member.joined': {
    title: 'A member joined',
    text: 'A person accepted an invitation to the workspace.',
    data: z.object({ ...ofMember, role: z.string() }),
    example: { ...member, role: 'Editor' },
  },
  'member.left': {
    title: 'A member left',
    text: 'A member left the workspace or was removed.',
    data: memberEventData,
    example: member,
  },
  'workspace.suspended': {
    title: 'Sending was suspended',
    text: 'The operator suspended what the workspace sends. Its mail to others waits; it still receives.',
    data: z.object({ ...ofWorkspace, reason: z.string() }),
    example: { ...workspace, reason: 'Too many complaints' },
  },
  'workspace.resumed': {
    title: 'Sending goes on',
    text: 'The operator lets the workspace send again, and what waited is tried at once.',
    data: z.object(ofWorkspace),
    example: workspace,
  },
  'invoice.created': {
    title: 'An invoice was issued',
    text: 'An invoice was issued to the workspace.',
    data: invoiceEventData,
    example: invoice,
  },
  'invoice.paid': {
    title: 'An invoice was paid',
    text: 'An invoice is paid in full.',
    data: invoiceEventData,
    example: invoice,
  },
} as const satisfies Record<string, Declared>

export type WebhookTopic = keyof typeof webhookTopics
export const WEBHOOK_TOPICS = Object.keys(webhookTopics) as [WebhookTopic, ...WebhookTopic[]]

export type WebhookData<Topic extends WebhookTopic> = z.input<(typeof webhookTopics)[Topic]['data']>

/** Sent when an Admin asks for it, whatever topics the webhook has. */
export const TEST_TOPIC = 'test'
export const testEventData = z.object({ webhookId: fields.id })
