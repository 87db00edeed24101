import { MAILBOX_WAIT_DAYS } from '#contract/deletions.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { changeManyMailboxes, deleteManyMailboxes } from '#contract/many-mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import { useRunMany } from '#web/lib/api/use-run-many.ts'
import { formatCount } from '#web/lib/format.ts'
import { doneOf, ManyDialog, toType } from '#web/ui/overlay/many-dialog.tsx'

type ManyProps = { mailboxes: readonly ListedMailbox[]; onClose: () => void }

/** Rows in one request: the dialog shows how far it is. */
const AT_ONCE = 50

const propsOf = (mailboxes: readonly ListedMailbox[]) => {
  const emails = new Map(mailboxes.map(({ _id, email }) => [_id, email]))
  return { ids: [...emails.keys()], nameOf: (id: string) => emails.get(id) ?? id }
}

const mailboxesOf = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`

const doneAs = (word: string) => (done: number, all: number) =>
  `${doneOf(done, all, 'mailbox', 'mailboxes')} ${word}`

type ChangeManyProps = ManyProps & { status: 'active' | 'suspended' }

export function ChangeMany({ mailboxes, status, onClose }: ChangeManyProps) {
  const isSuspending = status === 'suspended'
  const run = useRunMany(changeManyMailboxes, AT_ONCE, (ids) =>
    call(changeManyMailboxes, { body: { ids, status } }),
  )
  return (
    <ManyDialog
      {...propsOf(mailboxes)}
      titles={{
        ask: `${isSuspending ? 'Suspend' : 'Resume'} ${mailboxesOf(mailboxes.length)}?`,
        doing: `${isSuspending ? 'Suspending' : 'Resuming'} ${mailboxesOf(mailboxes.length)}`,
        done: doneAs(isSuspending ? 'suspended' : 'resumed'),
      }}
      question={
        <p>
          {isSuspending
            ? 'They still receive mail, but cannot send it. Their holders cannot sign in.'
            : 'They send and receive again, and their holders can sign in.'}
        </p>
      }
      confirmText={`${isSuspending ? 'Suspend' : 'Resume'} ${mailboxesOf(mailboxes.length)}`}
      doing={isSuspending ? 'Suspended' : 'Resumed'}
      run={run}
      onClose={onClose}
    />
  )
}

export function DeleteMany({ mailboxes, onClose }: ManyProps) {
  const run = useRunMany(deleteManyMailboxes, AT_ONCE, (ids) =>
    call(deleteManyMailboxes, { body: { ids } }),
  )
  return (
    <ManyDialog
      {...propsOf(mailboxes)}
      titles={{
        ask: `Delete ${mailboxesOf(mailboxes.length)}?`,
        doing: `Deleting ${mailboxesOf(mailboxes.length)}`,
        done: doneAs('deleted'),
      }}
      question={
        <p>
          All of their mail is deleted. They end in {MAILBOX_WAIT_DAYS} days: until then mail still
          arrives and can be read, nothing can be sent, and each can be taken back. Those that
          nobody has used end at once.
        </p>
      }
      typed={toType(
        mailboxes.map(({ email }) => email),
        'mailboxes',
      )}
      confirmText={`Delete ${mailboxesOf(mailboxes.length)}`}
      doing="Deleted"
      isDangerous
      run={run}
      onClose={onClose}
    />
  )
}
