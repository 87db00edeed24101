/** Who may read the mail of a mailbox, and write from it. */
import type { MailboxAccess } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { GiveForm } from './give-form.tsx'
import { ReaderRow } from './reader-row.tsx'

export function ReadersCard({ mailbox, access }: { mailbox: Mailbox; access: MailboxAccess }) {
  const canGive = useMay('give-mailboxes')
  const { readers } = access
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Who reads it"
        description="They read its mail and write from it. Nobody else does, whatever their role."
      />
      <div className="grid gap-5 px-5 pb-5">
        {readers.length === 0 ? (
          <p className="text-soft text-sm">
            Nobody reads this mailbox. Its mail is kept meanwhile.
          </p>
        ) : (
          <ul
            aria-label="Who reads it"
            className="grid divide-y divide-line rounded-card border border-line"
          >
            {readers.map((reader) => (
              <ReaderRow key={reader._id} mailbox={mailbox} reader={reader} canGive={canGive} />
            ))}
          </ul>
        )}
        {canGive && <GiveForm mailbox={mailbox} readers={readers} />}
      </div>
    </Card>
  )
}
