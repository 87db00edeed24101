/** The end of a mailbox with the most mails, while mail comes to others. */
import type pg from 'pg'
import { endMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { type Measured, percentile } from '../row.ts'
import { fileMails } from './file-mails.ts'
import { someRecipients, timed } from './measure-people.ts'
import type { Served } from './with-grown.ts'

const MAILS = 1_500

export const measureEnds = async ({ db, client, product }: Served): Promise<Measured[]> => {
  const { rows } = await client.query<{
    id: string
    email: string
    workspaceId: string
    mails: number
  }>(
    `select b.id, b.email, b.workspace_id as "workspaceId", sum(f.message_count)::int as mails
    from mailboxes b join folders f on f.mailbox_id = b.id
    where not exists (select from mailbox_readers r where r.mailbox_id = b.id and r.origin = 'made')
    group by 1, 2, 3 order by 4 desc limit 1`,
  )
  const [box] = rows
  if (!box) throw new Error('there is no mailbox')
  const recipients = (await someRecipients(client)).filter((email) => email !== box.email)
  const before = await fileMails(product.smtpPort, recipients, { count: MAILS })
  const freedBefore = await freed(client)
  let isEnded = false
  const [took, meanwhile] = await Promise.all([
    timed(() => db.transaction().execute((tx) => endMailbox(tx, box.workspaceId, box.id))).finally(
      () => {
        isEnded = true
      },
    ),
    fileMails(product.smtpPort, recipients, {
      ...{ count: Number.MAX_SAFE_INTEGER, isEnough: () => isEnded },
    }),
  ])
  const places = (await freed(client)) - freedBefore
  return [
    {
      what: `end of a mailbox with ${box.mails} mails, ${places} places freed`,
      ...{ value: took / 1000, unit: 's', budget: null },
    },
    {
      what: '  mails accepted meanwhile',
      ...{ value: (meanwhile.length / took) * 1000, unit: 'messages/s', budget: null },
    },
    {
      what: '  99 of 100 of them within',
      ...{ value: percentile(meanwhile, 99), unit: 'ms', budget: null },
    },
    {
      what: '  99 of 100 before within',
      ...{ value: percentile(before, 99), unit: 'ms', budget: null },
    },
  ]
}

const freed = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from freed_blobs',
  )
  return rows[0]?.count ?? 0
}
