/** The ledger of a delivery as sentences that a person without knowledge of mail understands. */
import type { JourneyStep } from '#contract/journey.ts'
import { HELD_BACK } from '../brakes/hold-back.ts'
import { LOCAL_HOST } from '../delivering/deliver-locally.ts'
import type { AttemptRow, DeliveryRow } from './journey-store.ts'

export const deliverySteps = (
  delivery: DeliveryRow,
  attempts: readonly AttemptRow[],
): JourneyStep[] => [...attempts.map(attemptStep), ...endOf(delivery, attempts)]

const attemptStep = (attempt: AttemptRow): JourneyStep => ({
  at: attempt.at.toISOString(),
  kind: attempt.outcome,
  text: attemptWords(attempt),
  // Without a code nobody answered, and the text is our own.
  reply: attempt.code === null || attempt.host === LOCAL_HOST ? '' : attempt.reply,
})

const attemptWords = ({ outcome, host, isTls, code, reply }: AttemptRow): string => {
  if (reply === HELD_BACK && code === null) return `Held back here: ${sentenceOf(reply)}`
  if (host === LOCAL_HOST) return localWords[outcome](reply)
  const server = host === '' ? 'The mail server' : host
  if (outcome === 'delivered')
    return `${server} took the message over ${isTls ? 'an encrypted' : 'an unencrypted'} connection.`
  if (code === null) return `${server} could not be asked: ${sentenceOf(reply)}`
  return outcome === 'deferred'
    ? `${server} asked for another try later.`
    : `${server} refused the message for good.`
}

const localWords: Record<AttemptRow['outcome'], (reply: string) => string> = {
  delivered: () => 'Put into the mailbox, which is on this server.',
  deferred: (reply) => `The mailbox on this server could not take it yet: ${sentenceOf(reply)}`,
  failed: (reply) => `This server could not deliver it: ${sentenceOf(reply)}`,
}

/** What comes next, or why nothing does although the last server only asked to wait. */
const endOf = (
  { status, nextAttemptAt, lastReply, finishedAt }: DeliveryRow,
  attempts: readonly AttemptRow[],
): JourneyStep[] => {
  const last = attempts.at(-1)
  if (status === 'sending') return []
  if (status === 'queued')
    return last === undefined
      ? []
      : [step(nextAttemptAt, 'next', 'The next try. The message is kept here until then.')]
  if (status === 'delivered' || last?.outcome === 'failed' || finishedAt === null) return []
  return last?.outcome === 'deferred' && last.reply === lastReply
    ? [step(finishedAt, 'failed', 'Given up: it could not be delivered for five days.')]
    : [step(finishedAt, 'failed', `Given up: ${sentenceOf(lastReply)}`)]
}

const step = (at: Date, kind: JourneyStep['kind'], text: string): JourneyStep => ({
  at: at.toISOString(),
  kind,
  text,
  reply: '',
})

/** Of an SMTP reply only what people read. */
const sentenceOf = (reply: string): string => {
  const text = reply.replace(/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3} )?/, '').trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}
