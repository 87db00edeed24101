/** The front page of the stage, in the place of Stripe's dashboard: the payments, what one does with them there, and the actions of its owner. */
import type { ServerResponse } from 'node:http'
import type { Intent } from './object-types.ts'
import { type AskedPage, escaped, type PageWorld, page, sumText } from './page.ts'

export const answerFront = async (
  world: PageWorld,
  { method, form }: AskedPage,
  response: ServerResponse,
): Promise<unknown> => {
  const said = method === 'POST' ? await done(world, form) : ''
  const payments = [...world.objects.intents.values()].reverse()
  const lines = payments.map((intent) => `<li>${lineOf(world, intent)}</li>`).join('')
  const told = said === '' ? '' : `<p role="status">${escaped(said)}</p>`
  const list = lines === '' ? '<p>No payment yet.</p>' : `<ul>${lines}</ul>`
  const actions = world.actions.map(({ name }, at) => button('action', String(at), name()))
  return page(response, 'Payments', `${told}${actions.join('')}${list}`)
}

const button = (what: string, id: string, says: string): string =>
  `<form method="post"><button name="${what}" value="${id}">${escaped(says)}</button></form>`

const disputeOf = ({ objects }: PageWorld, { id }: Intent) =>
  [...objects.disputes.values()].find(({ payment_intent }) => payment_intent === id)

const lineOf = (world: PageWorld, intent: Intent): string => {
  const { id, amount, currency, status, metadata } = intent
  const left = world.objects.leftOf(intent)
  const dispute = disputeOf(world, intent)
  const words = [sumText(amount, currency), status, dispute && `dispute: ${dispute.status}`]
  if (status === 'succeeded' && left < amount) words.push(`${sumText(left, currency)} is left`)
  const isOpen = dispute?.status === 'needs_response'
  return [
    `<strong>${words.filter(Boolean).join(', ')}</strong> <small>${escaped(metadata.invoice ?? id)}</small>`,
    ...(left > 0 && !isOpen ? [button('refund', id, 'Give back')] : []),
    ...(left > 0 && !dispute ? [button('dispute', id, 'Dispute it')] : []),
    ...(isOpen ? [button('won', dispute.id, 'The bank decides for us')] : []),
    ...(isOpen ? [button('lost', dispute.id, 'The bank decides for the owner')] : []),
  ].join('')
}

/** @returns what was done */
const done = async ({ objects, actions }: PageWorld, form: URLSearchParams): Promise<string> => {
  const [[what = '', id = ''] = []] = [...form]
  if (what === 'action') return (await actions[Number(id)]?.run()) ?? ''
  if (what === 'refund') objects.refund(id, 0)
  if (what === 'dispute') objects.dispute(id)
  if (what === 'won' || what === 'lost') objects.closeDispute(id, what)
  return 'Done.'
}
