import { newId } from '#server/lib/ids.ts'

const password = 'Engine-No-1!'
const link = 'x'.repeat(43)
const mailbox = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@ours.example',
  domain: 'ours.example',
  signature: '<p>Grace</p>',
}

const written = {
  to: ['Grace <grace@example.org>'],
  cc: ['a@example.org'],
  bcc: ['b@example.org'],
  from: 'grace@ours.example',
  subject: 'Hello',
  html: '<p>Hello</p>',
  inReplyTo: newId(),
  uploads: [newId()],
  forwardOf: newId(),
  draft: newId(),
  writer: newId(),
  save: 1,
  basedOn: 'first',
}

const sandboxRecord = { host: '@', type: 'MX', value: 'mail.example.com', priority: 10, ttl: 300 }

/** A good body of every route that takes one. */
export const goodBodies: Record<string, Record<string, unknown>> = {
  'POST /sandbox-dns/{id}/records': sandboxRecord,
  'PUT /sandbox-dns/{id}/records/{recordId}': sandboxRecord,
  'POST /sandbox-dns/{id}/mistakes': { mistake: 'spf-two' },
  'POST /auth/register': {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    password,
    confirmPassword: password,
    termsAccepted: true,
  },
  'POST /auth/resend-verify-email': { email: 'ada@example.org', type: 'email-verification' },
  'POST /auth/login': { email: 'ada@example.org', password },
  'POST /auth/forgot-password': { email: 'ada@example.org' },
  'POST /auth/set-new-password': { password, confirmPassword: password, session: link },
  'POST /auth/verify-email': { session: link },
  'PATCH /profile': {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    password,
  },
  'POST /profile/password': {
    oldPassword: password,
    newPassword: 'Engine-No-2!',
    confirmPassword: 'Engine-No-2!',
  },
  'PUT /company': {
    name: 'Analytical Engines',
    website: 'https://engines.example',
    phone: '+44 20 7946 0018',
    address: '12 St James’s Square',
    zipCode: 'SW1Y 4JH',
    country: 'uk',
    city: 'London',
    timeZone: 'Europe/London',
    timeFormat: '24h',
  },
  'POST /workspaces': { name: 'Second workspace' },
  'PATCH /workspaces/{id}': { name: 'Renamed' },
  'PATCH /members/{id}': { role: 'Editor' },
  'POST /invitations': { email: 'grace@example.org', role: 'Editor' },
  'POST /invitations/open': { session: link },
  'POST /invitations/sign-up': {
    firstName: 'Grace',
    lastName: 'Hopper',
    password,
    confirmPassword: password,
    termsAccepted: true,
    session: link,
  },
  'POST /invitations/join': { session: link },
  'POST /invitations/decline': { session: link },
  'POST /domains/{id}/move': { workspaceId: newId() },
  'POST /domains': { name: 'new.example' },
  'POST /domains/{id}/dns-links': { days: 7 },
  'POST /dns-links/{id}/mail': { email: 'grace@example.org' },
  'POST /dns-links/open': { token: link },
  'POST /dns-links/check': { token: link },
  'POST /dns-links/zone-file': { token: link },
  'POST /mailboxes/{id}/picture-senders': { messageId: newId() },
  'POST /mailboxes': mailbox,
  'POST /mailboxes/generate': {
    domains: ['ours.example'],
    count: 1,
    names: [{ firstName: 'Gracie', lastName: 'Hopper' }],
    signature: '',
  },
  'PATCH /mailboxes/{id}': { ...mailbox, status: 'suspended' },
  'POST /mailboxes/{id}/aliases': { email: 'countess@ours.example' },
  'PUT /mailboxes/{id}/vacation': {
    isOn: true,
    firstDay: '2026-12-24',
    lastDay: '2099-01-06',
    timeZone: 'Europe/Berlin',
    subject: 'Away',
    text: 'Back in January.',
  },
  'PATCH /mailboxes/{id}/settings': { displayName: 'Ada', signature: '<p>Ada</p>' },
  'PUT /domains/{id}/catch-all': { mailboxId: newId() },
  'POST /payments': { mailboxIds: [newId()] },
  'PATCH /mailboxes/{id}/messages/{messageId}': { isRead: true, isStarred: true, folder: 'trash' },
  'POST /mailboxes/{id}/messages': {
    to: ['Grace <grace@example.org>'],
    cc: ['a@example.org'],
    bcc: ['b@example.org'],
    from: 'grace@ours.example',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }],
    inReplyTo: newId(),
    draft: false,
  },
  'POST /mailboxes/{id}/drafts': written,
  'POST /mailboxes/{id}/sends': { ...written, key: newId() },
  'POST /mailboxes/{id}/sends/undo': { key: newId(), takeBack: true },
  'POST /mailboxes/{id}/uploads': {
    filename: 'a.txt',
    contentType: 'text/plain',
    content: 'aGVsbG8=',
  },
  'POST /mailboxes/{id}/uploads/copies': { messageId: newId(), parts: [0] },
}
/** Text of many lines, or base64, which may be folded. */
export const manyLines = new Set(['signature', 'text', 'html', 'attachments.0.content', 'content'])
/** Compared with another field, which says what is wrong. */
export const unread = new Set(['confirmPassword'])
