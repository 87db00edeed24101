/** What must be true after all failures: each mail is there once, each letter arrived once, each session works. */
import type { Mailbox } from '#contract/mailboxes.ts'
import { ask } from '../postgres/postgres-owner.ts'
import type { Account } from '../trials/account.ts'
import { isAsSent, keptMails } from '../trials/incoming-kill.ts'
import type { BrowserSession } from './browser-session.ts'
import type { Cluster } from './cluster.ts'
import type { Sent } from './people.ts'
import { soon } from './soon.ts'

export type Verdict = { faults: string[]; notes: string[] }

/** A sender repeats a mail whose answer it did not hear: then, and as often, it may be there again. */
export const checkIncoming = async (
  account: Account,
  mailbox: Mailbox,
  sent: readonly Sent[],
): Promise<Verdict> => {
  const kept = await keptMails(account, mailbox)
  const known = new Set(sent.map(({ mail }) => mail.subject))
  const faults = [...kept.keys()]
    .filter((subject) => !known.has(subject))
    .map((subject) => `'${subject}' was never sent`)
  let again = 0
  for (const { mail, isAcknowledged, lostAnswers } of sent) {
    const copies = kept.get(mail.subject) ?? []
    const most = lostAnswers + (isAcknowledged ? 1 : 0)
    if (copies.length === 0 && isAcknowledged) faults.push(`'${mail.subject}' got 250 and is lost`)
    if (copies.length > most)
      faults.push(`'${mail.subject}' is there ${copies.length} times, and ${most} would be right`)
    if (copies.length > 1) again += copies.length - 1
    if (!copies.every((raw) => isAsSent(raw, mail.raw)))
      faults.push(`'${mail.subject}' is not as it was sent`)
  }
  const acknowledged = sent.filter(({ isAcknowledged }) => isAcknowledged).length
  const lost = sent.reduce((sum, { lostAnswers }) => sum + lostAnswers, 0)
  const notes = [
    `${acknowledged} mails got 250; ${lost} answers were lost, and ${again} mails are there again for that`,
  ]
  return { faults, notes }
}

type Delivery = { recipient: string; status: string; delivered: number }

/** Letters whose delivery was put off are tried at once, as `queue retry` does. A letter may come again only where nobody heard that it had arrived. */
export const checkOutgoing = async (
  { databases, arrivals }: Cluster,
  accepted: readonly string[],
): Promise<Verdict> => {
  const { address } = await databases.leader()
  const connection = { connectionString: databases.urlAt(address) }
  await soon('the end of the queue', async () => {
    await ask(connection, "update deliveries set next_attempt_at = now() where status = 'queued'")
    const left = "select 1 from deliveries where status in ('queued', 'sending') limit 1"
    return (await ask(connection, left)).length === 0
  })
  const deliveries = (await ask(connection, LEDGER)) as Delivery[]
  const faults = deliveries
    .filter(({ status, delivered }) => status !== 'delivered' || delivered !== 1)
    .map(
      (each) => `the letter to ${each.recipient} ended as ${each.status}, ${each.delivered} times`,
    )
  const times = (to: string) => arrivals.get(to) ?? 0
  const queued = (to: string) => deliveries.filter(({ recipient }) => recipient === to).length
  for (const to of accepted) {
    if (queued(to) !== 1) faults.push(`the letter to ${to} was queued ${queued(to)} times`)
    if (times(to) === 0) faults.push(`the letter to ${to} never came`)
  }
  const again = accepted.filter((to) => times(to) > 1)
  const notes = [
    `${accepted.length} letters were accepted; ${again.length} came again, as the answer of the other server was lost`,
  ]
  return { faults, notes }
}

const LEDGER = `
  select recipient, status, (
    select count(*)::int from delivery_attempts
    where delivery_id = deliveries.id and outcome = 'delivered'
  ) as delivered
  from deliveries where recipient like 'friend%'`

export const checkSessions = async (
  url: string,
  sessions: readonly BrowserSession[],
): Promise<Verdict> => {
  const statuses = await Promise.all(
    sessions.map(async (session) => {
      const headers = { authorization: `Bearer ${await session.token()}` }
      return (await fetch(`${url}/api/v1/mailboxes`, { headers })).status
    }),
  )
  const faults = statuses
    .filter((status) => status !== 200)
    .map((status) => `a session of the start is answered ${status}`)
  const renewals = sessions.reduce((sum, session) => sum + session.renewals(), 0)
  const notes = [
    `${sessions.length} sessions of the start were used all the time, and renewed ${renewals} times`,
  ]
  return { faults, notes }
}
