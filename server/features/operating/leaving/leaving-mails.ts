/** The mails to a person who leaves. */
import { LEAVING_DAYS } from '#contract/account/leaving.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { dayOf } from '#server/features/ownership/ownership-mails.ts'
import type { AccountEnd } from '../delete-account.ts'

const REASON = 'You get this mail because it is about the account with this address.'
type Person = Pick<AccountEnd, 'name' | 'email'>
const hello = ({ name }: Person): string => (name === '' ? 'Hello,' : `Hello ${name},`)

export const accountEndsMail = (person: Person, endsAt: Date, link: string): Mail =>
  compose({
    subject: 'Your Mailstead account will be deleted',
    preview: `It ends on ${dayOf(endsAt)}, and can be kept until then.`,
    greeting: hello(person),
    before: [
      `You asked for your account ${person.email} to be deleted. It ends on ${dayOf(endsAt)}, after ${LEAVING_DAYS} days. Until then it works as before.`,
      'You then leave every workspace, and what you gave or could read ends. Mailboxes and their mail stay in their workspaces.',
    ],
    button: { label: 'Keep my account', link },
    after: ['If you did not ask for this, keep the account and set a new password now.'],
    reason: REASON,
  })

export const accountKeptMail = (person: Person, link: string): Mail =>
  compose({
    subject: 'Your Mailstead account stays',
    preview: 'It is not deleted.',
    greeting: hello(person),
    before: [`Your account ${person.email} stays as it is: it is not deleted.`],
    button: { label: 'Open Mailstead', link },
    after: ['If that was not you, set a new password now.'],
    reason: REASON,
  })

export const accountEndedMail = (person: Person, link: string): Mail =>
  compose({
    subject: 'Your Mailstead account was deleted',
    preview: 'It signs in no more.',
    greeting: hello(person),
    before: [
      `Your account ${person.email} was deleted, as you asked. It signs in no more, and what it gave or could read has ended.`,
      'Mailboxes and their mail stay in their workspaces.',
    ],
    button: { label: 'Open Mailstead', link },
    after: [],
    reason: REASON,
  })

export const cannotEndMail = (person: AccountEnd, link: string): Mail => {
  const names = person.places.filter(({ isLastAdmin }) => isLastAdmin).map(({ name }) => name)
  return compose({
    subject: 'Your Mailstead account could not be deleted',
    preview: 'You are the last Admin of a workspace.',
    greeting: hello(person),
    before: [
      `Your account ${person.email} should end today, but you are the last Admin of ${names.join(' and of ')} by now. So it stays.`,
      'Make another Admin, or delete the workspace, and then delete your account again.',
    ],
    button: { label: 'Open the security page', link },
    after: [],
    reason: REASON,
  })
}
