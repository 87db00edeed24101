/** Payments by card: an invoice in each state of its payment, the saved card, Pay Now, a suspended mailbox, and what an operator gives back. */
import type { Page } from '@playwright/test'
import { paths } from '#web/paths.ts'
import { button, click, question, type Screen } from '../screen.ts'
import { UNPAID_ADDRESS } from '../world.ts'
import {
  everyState,
  inState,
  invoiceOf,
  operated,
  PLACE,
  paid,
  SAVED,
  STRIPE,
  UNSAVED,
} from './card-answers.ts'

type Given = Partial<Screen> & Pick<Screen, 'ready'>

const invoice = (name: string, given: Given): Screen => ({
  ...{ name: `card, ${name}`, who: 'member', state: 'full', path: PLACE, ...given },
  answers: { ...STRIPE, ...SAVED, ...given.answers },
})

const billing = (name: string, given: Given): Screen => ({
  ...{ name: `card, billing, ${name}`, who: 'member', state: 'full' },
  ...{ path: '/dashboard/profile?tab=billing', ...given },
  answers: { ...STRIPE, ...everyState, ...given.answers },
})

const operator = (name: string, given: Given): Screen => ({
  ...{ name: `card, operator, ${name}`, who: 'operator', state: 'full' },
  ...{ path: `/operator/invoices/${operated._id}`, ...given },
  answers: { 'GET /operator/invoices/*': { json: operated } },
})

const { 'POST /invoices/*/look': _look, ...unasked } = invoiceOf({})

const giveBack = click('Give back')

const invoiceScreens: Screen[] = [
  invoice('first payment', {
    answers: { ...invoiceOf({}), ...UNSAVED },
    ready: 'The card is saved, and pays the next months, too.',
  }),
  invoice('charged soon', {
    answers: invoiceOf({}),
    ready: 'American Express ending 0005 is charged soon',
  }),
  {
    ...invoice('loading', { state: 'loading', ready: 'Looking for the saved card...' }),
    // An answer would come before what is held.
    ...{ answers: { ...STRIPE, ...invoiceOf({}) }, holds: ['/billing/card'] },
  },
  invoice('confirming', {
    answers: invoiceOf(inState('confirming')),
    ready: 'Payment is being confirmed',
  }),
  invoice('needs confirmation', {
    answers: invoiceOf(
      inState('needs confirmation', 'The bank asks the owner of the card to confirm the payment'),
    ),
    ready: 'Confirm the payment',
  }),
  invoice('refused', {
    answers: invoiceOf(inState('failed', 'There is not enough money on the card')),
    ready: 'The card was not charged',
  }),
  invoice('disputed', {
    answers: invoiceOf(inState('disputed')),
    ready: 'The bank is deciding about the payment',
  }),
  invoice('given back', {
    answers: invoiceOf({ ...inState('given back'), openCents: 20_000 }),
    ready: '$200.00 was given back, and is open again',
  }),
  invoice('taken back', {
    answers: invoiceOf(inState('taken back')),
    ready: 'The bank took $1,284.00 back',
  }),
  invoice('cancelled', {
    ...{ path: `${PLACE}?payment=cancelled`, answers: invoiceOf({}) },
    ready: 'Nothing was charged',
  }),
  invoice('thank you', {
    ...{ path: `${PLACE}?payment=done`, answers: { ...invoiceOf(paid), ...everyState } },
    ready: 'Thank you, the invoice is paid',
  }),
  invoice('asking', {
    ...{ state: 'loading', path: `${PLACE}?payment=done`, answers: unasked },
    ...{ holds: ['/invoices/*/look'], ready: 'Payment is being confirmed' },
  }),
  invoice('not to be asked', {
    ...{ state: 'failing', path: `${PLACE}?payment=done`, answers: unasked },
    ...{ fails: ['POST /invoices/*/look'], ready: 'Stripe could not be asked about the payment' },
  }),
  invoice('no page of Stripe', {
    ...{ state: 'failing', fails: ['POST /invoices/*/checkout'] },
    answers: { ...invoiceOf({}), ...UNSAVED },
    ...{ steps: click('Pay by card'), ready: (page) => button(page, 'Close notification') },
  }),
]

const billingScreens: Screen[] = [
  billing('every state', { answers: SAVED, ready: 'American Express ending 0005' }),
  billing('no card', { ...{ state: 'empty', answers: UNSAVED }, ready: 'No card is saved' }),
  billing('loading', {
    ...{ state: 'loading', holds: ['/billing/card'] },
    ready: (page) => page.getByText('MS-').first(),
  }),
  billing('failed', {
    ...{ state: 'failing', fails: ['/billing/card'], ready: 'Error loading the card' },
  }),
  billing('not to be asked', {
    ...{ state: 'failing', path: '/dashboard/profile?tab=billing&card=changed', answers: SAVED },
    fails: ['POST /billing/card/refresh'],
    ready: 'Stripe could not be asked about the card',
  }),
  ...[SAVED, UNSAVED].map(
    (answers, at): Screen => ({
      name: at === 0 ? 'card, pay now' : 'card, pay now the first time',
      ...{ who: 'member', state: 'open', path: '/dashboard/mailboxes', ready: question },
      ...{ answers: { ...STRIPE, ...answers }, steps: click(/^Pay Now/) },
    }),
  ),
]

const openUnpaid = async (page: Page): Promise<void> => {
  await page.getByRole('searchbox').first().fill('number-27')
  await page.getByText('Suspended, not paid').first().waitFor()
}

export const cardScreens: Screen[] = [
  ...invoiceScreens,
  ...billingScreens,
  {
    ...{ name: 'card, mailbox that is not paid', who: 'member', state: 'full' },
    ...{ path: '/dashboard/mailboxes', steps: openUnpaid, ready: 'Suspended, not paid' },
  },
  {
    ...{ name: 'card, mail of a mailbox that is not paid', who: 'member', state: 'full' },
    path: paths.viewMail(),
    steps: async (page) => {
      await page.goto(paths.mailboxes())
      await openUnpaid(page)
      await page.getByRole('link', { name: UNPAID_ADDRESS }).click()
    },
    ready: 'This mailbox is suspended because its invoice is not paid',
  },
  operator('payments', { ready: 'Payments by card' }),
  operator('give back', { state: 'open', steps: giveBack, ready: question }),
  operator('give back, wrong', {
    state: 'failing',
    steps: async (page) => {
      await giveBack(page)
      await question(page).getByLabel('Amount in USD').fill('2000')
      await question(page).getByRole('button', { name: /^Give/ }).click()
    },
    ready: 'Please type a sum up to $1,084.00',
  }),
]
