/** The pages of the stage: where a person pays, confirms at the bank, and changes the card. Cards are those of `cards.ts`. */
import type { ServerResponse } from 'node:http'
import { addTaxId, taxIdsOf, writeAddress, writeName } from './buyer.ts'
import { cardOf } from './cards.ts'
import { answerFront } from './front-page.ts'
import { Refusal } from './objects.ts'
import { type AskedPage, escaped, go, type PageWorld, page, sumText } from './page.ts'

export const answerPage = async (
  world: PageWorld,
  asked: AskedPage,
  response: ServerResponse,
): Promise<unknown> => {
  try {
    return await answerPlace(world, asked, response)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(response, 'Refused', `<p role="alert">${escaped(error.message)}</p>`)
  }
}

const answerPlace = (world: PageWorld, asked: AskedPage, response: ServerResponse): unknown => {
  const [, place = '', id = ''] = asked.path.split('/')
  if (place === '') return answerFront(world, asked, response)
  if (place === 'pay' && world.objects.sessions.has(id))
    return answerPay(world, id, asked.form, response)
  if (place === 'portal' && world.objects.portals.has(id))
    return answerPortal(world, id, asked.form, response)
  return page(response, 'Not found', '<p>There is no such page.</p>')
}

const numberOf = (form: URLSearchParams): string => (form.get('number') ?? '').replaceAll(' ', '')

const CHOICES = [
  ['4242424242424242', 'A card that works'],
  ['4000000000000002', 'A card that is declined'],
  ['4000000000009995', 'A card without enough money'],
  ['4000002760003184', 'A card that asks for 3-D Secure'],
  ['4000000000000341', 'A card that is declined next month'],
] as const

const choices = (): string =>
  `<form method="post">${CHOICES.map(
    ([number, says]) => `<button name="number" value="${number}">${says}</button>`,
  ).join('')}</form>`

const cardForm = (button: string): string =>
  `<h2>Choose a card</h2>${choices()}<h2>Or type a number</h2>
  <form method="post"><label>Card number <input name="number" inputmode="numeric" required></label>
  <button>${button}</button></form>`

const backTo = (url: string): string => `<p><a href="${escaped(url)}">Back</a></p>`

const answerPay = (
  { objects }: PageWorld,
  id: string,
  form: URLSearchParams,
  response: ServerResponse,
): unknown => {
  const session = objects.find(objects.sessions, id)
  if (session.status !== 'open')
    return page(response, 'Closed', `<p>This page is closed.</p>${backTo(session.cancel_url)}`)
  const pay = `Pay ${sumText(session.amount_total, session.currency)}`
  const back = backTo(session.cancel_url)
  const number = numberOf(form)
  if (number === '') return page(response, pay, `${cardForm(pay)}${back}`)
  const answer = form.get('confirmed')
  if (cardOf(number).asks && answer === null)
    return page(
      response,
      'Your bank asks you',
      `<form method="post"><input type="hidden" name="number" value="${escaped(number)}">
      <button name="confirmed" value="yes">Confirm the payment</button>
      <button name="confirmed" value="no">Decline</button></form>${back}`,
    )
  const refused = answer === 'no' ? 'The bank did not confirm it' : objects.pay(id, number)
  if (refused === null) return go(response, session.success_url)
  return page(response, pay, `<p role="alert">${refused}</p>${cardForm(pay)}${back}`)
}

const answerPortal = (
  world: PageWorld,
  id: string,
  form: URLSearchParams,
  response: ServerResponse,
): unknown => {
  const { objects } = world
  const { customer, return_url } = objects.find(objects.portals, id)
  const number = numberOf(form)
  if (number === '' && !form.has('name'))
    return page(
      response,
      'Your card',
      `${cardForm('Save the card')}${buyerForm(world, customer)}${backTo(return_url)}`,
    )
  if (number === '') writeBuyer(world, customer, form)
  else objects.attach(customer, number)
  return go(response, return_url)
}

const PLACE = [
  ['line1', 'Address'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['country', 'Country, as in DE'],
] as const

const field = (name: string, says: string, value: string): string =>
  `<label>${says} <input name="${name}" value="${escaped(value)}"></label>`

const buyerForm = ({ objects }: PageWorld, id: string): string => {
  const { name, address } = objects.living(id)
  const [taxId] = taxIdsOf(objects, id)
  return `<h2>Billing details</h2><form method="post">${field('name', 'Name', name)}
    ${PLACE.map(([key, says]) => field(key, says, address?.[key] ?? '')).join('')}
    ${field('taxId', 'VAT ID', taxId?.value ?? '')}<button>Save the details</button></form>`
}

const writeBuyer = (world: PageWorld, id: string, form: URLSearchParams): void => {
  const said = (key: string): string => form.get(key)?.trim() ?? ''
  const place = Object.fromEntries(PLACE.map(([key]) => [key, said(key) || null]))
  const [before] = taxIdsOf(world.objects, id)
  writeName(world, id, said('name'))
  if (said('line1') !== '') writeAddress(world, id, place)
  if (said('taxId') !== '' && said('taxId') !== before?.value) addTaxId(world, id, said('taxId'))
}
