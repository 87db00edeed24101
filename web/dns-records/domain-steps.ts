import type { DomainSteps } from '#contract/first-steps.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import type { Step } from '#web/ui/data/step-list.tsx'

const countOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`

/** What an active domain needs until real mail has come and gone. What nobody can do yet stands behind what comes first. */
export function stepsOf(domain: DomainSteps): Step[] {
  const { _id: id, unicodeName: name, mailboxes, inUse, unpaid, mailTo } = domain
  return [
    {
      title: 'Create mailboxes',
      description: 'Every address that gets mail today, before receiving moves here.',
      path: paths.mailboxes({ q: name }),
      isDone: mailboxes + unpaid > 0,
    },
    ...(unpaid > 0
      ? [
          {
            title: `Pay for ${countOf(unpaid)}`,
            description: `Until then mail to ${unpaid === 1 ? 'it' : 'them'} is refused.`,
            path: paths.mailboxes({ q: name }),
            isDone: false,
          },
        ]
      : []),
    {
      title: 'Give people access',
      description:
        mailboxes === 0
          ? 'With a link, each person sets a password.'
          : `${formatCount(inUse)} of ${countOf(mailboxes)} ${mailboxes === 1 ? 'is' : 'are'} in use.`,
      path: paths.mailboxes({ q: name, access: 'none' }),
      isDone: mailboxes > 0 && inUse === mailboxes,
    },
    {
      title: 'Move receiving here',
      description: domain.isMailOurs
        ? 'New mail comes here.'
        : mailTo === null
          ? 'No server receives its mail.'
          : `New mail goes to ${mailTo}.`,
      path: paths.addDomain({ id }),
      isDone: domain.isMailOurs,
    },
    {
      title: 'Send a mail to an address elsewhere',
      description: 'One of your own shows best how it arrives.',
      path: paths.viewMail(),
      isDone: domain.wentAt !== null,
    },
    {
      title: 'Answer it from there',
      description: 'When the answer is in the mailbox, mail works.',
      path: paths.viewMail(),
      isDone: domain.cameAt !== null,
    },
  ]
}
