/** The pages of the stage: where a person pays, confirms at the bank, and changes the card. Cards are those of `cards.ts`. */
import type { ServerResponse } from 'node:http'
import { cardOf } from './cards.ts'
import type { Objects } from './objects.ts'

type Asked = { method: string; path: string; body: string }
type World = { objects: Objects }

export const answerPage = ({ objects }: World, asked: Asked, response: ServerResponse): unknown => {
  const [, place = '', id = ''] = asked.path.split('/')
  const form = new URLSearchParams(asked.body)
  if (place === 'pay' && objects.sessions.has(id)) return answerPay(objects, id, form, response)
  if (place === 'portal' && objects.portals.has(id))
    return answerPortal(objects, id, form, response)
  return page(response, 'Not found', '<p>There is no such page.</p>')
}

const page = (response: ServerResponse, title: string, body: string): unknown => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  return response.end(
    `<!doctype html><html lang="en"><title>${title}</title><meta name="viewport" content="width=device-width">
    <style>body{font:16px system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem;display:grid;gap:1rem}form{display:grid;gap:.75rem}</style>
    <h1>${title}</h1>${body}`,
  )
}

const go = (response: ServerResponse, to: string): unknown => {
  return response.writeHead(303, { location: to }).end()
}

const numberOf = (form: URLSearchParams): string => (form.get('number') ?? '').replaceAll(' ', '')

const cardForm = (button: string, more = ''): string =>
  `<form method="post"><label>Card number <input name="number" inputmode="numeric" required></label>
  <button>${button}</button></form>${more}`

const answerPay = (
  objects: Objects,
  id: string,
  form: URLSearchParams,
  response: ServerResponse,
): unknown => {
  const session = objects.find(objects.sessions, id)
  if (session.status !== 'open') return page(response, 'Closed', '<p>This page is closed.</p>')
  const sum = `${(session.amount_total / 100).toFixed(2)} ${session.currency.toUpperCase()}`
  const back = `<p><a href="${session.cancel_url}">Back</a></p>`
  const number = numberOf(form)
  if (number === '') return page(response, `Pay ${sum}`, cardForm(`Pay ${sum}`, back))
  const answer = form.get('confirmed')
  if (cardOf(number).asks && answer === null)
    return page(
      response,
      'Your bank asks you',
      `<form method="post"><input type="hidden" name="number" value="${number}">
      <button name="confirmed" value="yes">Confirm the payment</button>
      <button name="confirmed" value="no">Decline</button></form>${back}`,
    )
  const refused = answer === 'no' ? 'The bank did not confirm it' : objects.pay(id, number)
  if (refused === null) return go(response, session.success_url)
  return page(
    response,
    `Pay ${sum}`,
    `<p role="alert">${refused}</p>${cardForm(`Pay ${sum}`, back)}`,
  )
}

const answerPortal = (
  objects: Objects,
  id: string,
  form: URLSearchParams,
  response: ServerResponse,
): unknown => {
  const { customer, return_url } = objects.find(objects.portals, id)
  const number = numberOf(form)
  const back = `<p><a href="${return_url}">Back</a></p>`
  if (number === '') return page(response, 'Your card', cardForm('Save the card', back))
  objects.attach(customer, number)
  return go(response, return_url)
}
