/** Buttons of states that the product of these stories is not in: a card is saved, a factor is set up, a key and a webhook stand. */
import { invoiceOf, PLACE, SAVED, STRIPE, UNSAVED } from '../screens/cards/card-answers.ts'
import { otherSessions } from '../screens/security-screens.ts'
import { ownKey } from '../screens/settings/api-key-screens.ts'
import { requiredFactor, withFactors } from '../screens/settings/second-factor-screens.ts'
import { oneWebhook, WEBHOOK_PATH } from '../screens/settings/webhook-screens.ts'
import { fill, press, type Write } from './writes.ts'

const none = fill({})

const ofKey = { path: '/dashboard/developers/keys/any', answers: ownKey }
const ofWebhook = { path: WEBHOOK_PATH, answers: oneWebhook() }
const ofPerson = { path: '/dashboard/security', typed: none }
const ofWorkspace = { path: '/dashboard/settings', typed: none }

const leaving = (given: { endsAt: string | null }) => ({
  'GET /account/leaving': { json: { lastAdminOf: [], isLastOperator: false, ...given } },
})

const keys: Record<string, Write> = {
  'change an API key': {
    ...{ ...ofKey, open: press('Change'), typed: fill({ Name: 'Reports' }), isInForm: true },
    ...{ button: 'Save', going: 'Saving...', call: ['PATCH', '/api-keys/*'] },
  },
  'end an API key': {
    ...{ ...ofKey, open: press('End key'), typed: none },
    ...{ button: 'End key', going: 'Ending...', call: ['DELETE', '/api-keys/*'] },
  },
}

const webhooks: Record<string, Write> = {
  'change a webhook': {
    ...{ ...ofWebhook, open: press('Change') },
    typed: fill({ Address: 'https://hooks.example/elsewhere' }),
    ...{ button: 'Save', going: 'Saving...', call: ['PATCH', '/webhooks/*'] },
  },
  'switch off a webhook': {
    ...{ ...ofWebhook, typed: none, button: 'Switch off', call: ['PATCH', '/webhooks/*'] },
  },
  'send a test to a webhook': {
    ...{ ...ofWebhook, typed: none, button: 'Send a test', call: ['POST', '/webhooks/*/test'] },
  },
  'make a new secret': {
    ...{ ...ofWebhook, open: press('New secret'), typed: none, isInForm: true },
    ...{ button: 'Make new secret', going: 'Making it...', call: ['POST', '/webhooks/*/secret'] },
  },
  'delete a webhook': {
    ...{ ...ofWebhook, open: press('Delete webhook'), typed: none },
    ...{ button: 'Delete webhook', going: 'Deleting...', call: ['DELETE', '/webhooks/*'] },
  },
}

const factors: Record<string, Write> = {
  'set up an app': {
    ...{ ...ofPerson, open: press('Set up the app'), typed: fill({ Code: '123456' }) },
    ...{ button: 'Turn it on', going: 'Checking...', call: ['POST', '/second-factor/totp'] },
  },
  'remove the app': {
    ...{ ...ofPerson, answers: withFactors, open: press('Remove the app') },
    ...{ button: 'Remove the app', going: 'Removing...', call: ['DELETE', '/second-factor/totp'] },
  },
  'delete a passkey': {
    ...{ ...ofPerson, answers: withFactors, open: press('Delete Phone') },
    ...{ button: 'Delete passkey', going: 'Deleting...', call: ['DELETE', '/passkeys/*'] },
  },
  'make new recovery codes': {
    ...{ ...ofPerson, answers: withFactors, open: press('Make new codes') },
    ...{ button: 'Make new codes', going: 'Making them...' },
    call: ['POST', '/second-factor/recovery-codes'],
  },
  'end the other sessions': {
    ...{ ...ofPerson, answers: otherSessions, open: press('End all others') },
    ...{ button: 'End all others', going: 'Ending...', call: ['POST', '/sessions/end-others'] },
  },
  'keep my account': {
    ...{ ...ofPerson, answers: leaving({ endsAt: '2199-01-01T00:00:00.000Z' }) },
    ...{ button: 'Keep my account', call: ['DELETE', '/account/leaving'] },
  },
  'leave a workspace': {
    ...{ ...ofWorkspace, answers: leaving({ endsAt: null }), open: press('Leave workspace') },
    ...{ button: 'Leave', going: 'Leaving...', call: ['POST', '/workspaces/*/leave'] },
  },
  'require a second factor': {
    ...{ ...ofWorkspace, open: press('Require a second factor') },
    typed: fill({ 'Days of grace': '3' }),
    ...{ button: 'Require it', going: 'Saving...' },
    call: ['PUT', '/workspace-settings/second-factor'],
  },
  'stop requiring a second factor': {
    ...{ ...ofWorkspace, answers: requiredFactor, open: press('Stop requiring it') },
    ...{ button: 'Stop requiring it', going: 'Saving...' },
    call: ['PUT', '/workspace-settings/second-factor'],
  },
}

const cards: Record<string, Write> = {
  'pay an invoice by card': {
    ...{ path: PLACE, answers: { ...STRIPE, ...UNSAVED, ...invoiceOf({}) }, typed: none },
    ...{ button: 'Pay by card', call: ['POST', '/invoices/*/checkout'] },
  },
  'change the card': {
    path: '/dashboard/profile?tab=billing',
    ...{ answers: { ...STRIPE, ...SAVED }, typed: none },
    ...{ button: 'Change card', call: ['POST', '/billing/portal'] },
  },
}

export const answeredWrites: Record<string, Write> = { ...keys, ...webhooks, ...factors, ...cards }
