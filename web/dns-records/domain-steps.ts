import type { DomainSteps } from '#contract/first-steps.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import type { Step } from '#web/ui/data/step-list.tsx'

const countOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`

/** What an active domain needs until real mail has come and gone. What nobody can do yet stands behind what comes first. */
export function stepsOf(domain: DomainSteps): Step[] {
  const { _id: id, unicodeName: name, mailboxes, unpaid } = domain
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
    accessStep(domain),
    {
      title: 'Move receiving here',
      description: receivingText(domain),
      path: paths.addDomain({ id }),
      isDone: domain.isMailOurs,
    },
    {
      title: 'Send a test mail',
      description:
        'We write it, to an address of yours at another service, and show how it gets there.',
      path: paths.testMail(id),
      isDone: domain.wentAt !== null,
    },
    {
      title: 'Answer it from there',
      description: 'When the answer has come in, mail works.',
      path: paths.testMail(id),
      isDone: domain.cameAt !== null,
    },
  ]
}

/** It waits for the people, when each of them has a link or is there. */
function accessStep({ unicodeName, mailboxes, inUse, linksOut }: DomainSteps): Step {
  const isWaiting = linksOut > 0 && inUse + linksOut === mailboxes
  const inUseText = `${formatCount(inUse)} of ${countOf(mailboxes)} ${mailboxes === 1 || inUse === 1 ? 'is' : 'are'} in use`
  return {
    title: 'Give people access',
    description:
      mailboxes === 0
        ? 'With a link, each person sets a password.'
        : linksOut === 0
          ? `${inUseText}.`
          : `${inUseText}, and ${linksOut === 1 ? '1 link waits for its person' : `${formatCount(linksOut)} links wait for their people`}.`,
    path: paths.mailboxes({ q: unicodeName, access: isWaiting ? 'link' : 'none' }),
    isDone: mailboxes > 0 && inUse === mailboxes,
    isWaiting,
  }
}

/** Where new mail goes; before the move also what it changes, and for whom. */
function receivingText(domain: DomainSteps): string {
  const { isMailOurs, mailTo, mailboxes, addresses, hasCatchAll } = domain
  if (isMailOurs) return 'New mail comes here.'
  const now = mailTo === null ? 'No server receives its mail.' : `New mail goes to ${mailTo}.`
  if (mailboxes === 0) return now
  const others = mailboxes - addresses.length
  const receivers = [...addresses, ...(others > 0 ? [`${formatCount(others)} more`] : [])]
  const last = receivers.at(-1) ?? ''
  const list = receivers.length > 1 ? `${receivers.slice(0, -1).join(', ')} and ${last}` : last
  const rest = hasCatchAll
    ? 'the catch-all gets mail to any other address'
    : 'mail to an address without a mailbox is refused'
  return `${now} After the move ${list} ${mailboxes === 1 ? 'gets' : 'get'} it here, and ${rest}.`
}
