/** What there is for an operator to see: a queue with reasons, and a log. */
import type { MailOutcome } from '#contract/operator/mail-log.ts'
import { newId } from '#server/lib/ids.ts'
import type { Person, Setting } from '../../specification/setting.ts'

const REASONS = [
  '421 4.7.0 [192.0.2.25] Our system has detected an unusual rate of unsolicited mail originating from your IP address. See https://support.example/mail?p=UnsolicitedRateLimitError',
  '451 4.7.1 Greylisting in action, please come back later',
  '',
]

export const fillOperating = async (
  setting: Setting,
  { call }: Person,
  { workspace }: Person,
): Promise<void> => {
  const { db, clock } = setting
  const createdAt = clock.now()
  const nextAttemptAt = new Date(createdAt.getTime() + 86_400_000)
  for (const [n, lastReply] of REASONS.entries()) {
    const id = newId()
    await db
      .insertInto('outboxMessages')
      .values({
        ...{
          id,
          workspaceId: workspace.id,
          mailboxId: null,
          mailFrom: 'someone@elsewhere.example',
        },
        ...{ blob: 'none', sizeBytes: 2_000, isHeld: false, createdAt },
      })
      .execute()
    await db
      .insertInto('deliveries')
      .values(
        Array.from({ length: 3 - n }, (_, at) => ({
          ...{ id: newId(), outboxMessageId: id, workspaceId: workspace.id, lastReply },
          ...{
            recipient: `person${at}@waiting${n}.example`,
            recipientDomain: `waiting${n}.example`,
          },
          ...{
            status: 'queued' as const,
            nextAttemptAt,
            claimedBy: null,
            createdAt,
            finishedAt: null,
          },
        })),
      )
      .execute()
  }
  const mails: [MailOutcome, string, string, string, string][] = [
    ['accepted', 'billing@partner.example', 'grace@customer.example', '192.0.2.80', 'a4e1c7'],
    [
      ...(['refused', 'billing@partner.example', 'grcae@customer.example', '192.0.2.80'] as const),
      '550 5.1.1 No such mailbox here',
    ],
    [
      ...([
        'bounced',
        'grace@customer.example',
        'ceo@partner.example',
        'mx.partner.example',
      ] as const),
      '552 5.2.2 The mailbox of the recipient is over its quota, so that no further mail can be delivered to it',
    ],
  ]
  for (const [outcome, mailFrom, recipient, peer, reply] of mails)
    await db
      .insertInto('mailLog')
      .values({ id: newId(), at: createdAt, outcome, mailFrom, recipient, peer, reply, times: 1 })
      .execute()
  const listed = (value: string, action: string, note: string, endsAt: string | null = null) =>
    call('POST', '/operator/lists', { value, action, note, endsAt })
  await listed(
    '198.51.100.0/24',
    'block',
    'Guesses addresses since Tuesday',
    '2099-12-24T00:00:00Z',
  )
  await listed('2001:db8:85a3::8a2e:370:7334', 'block', '')
  await listed(
    'rechnungsversand.donaudampfschifffahrtselektrizitaetenhauptbetriebswerk.example',
    'allow',
    'Its server never tries again',
  )
  const path = `/operator/workspaces/${workspace.id}`
  await call('POST', `${path}/suspend`, {
    reason: 'Three hundred messages in a minute, to addresses that do not exist',
  })
  await call('POST', `${path}/resume`)
  await call('PUT', `${path}/quota`, { quotaBytes: 75_000_000_000 })
}
