/** What can be done with the selected mailboxes. Dialogs are loaded when they open: the list shows without them. */
import { Download, KeyRound, Pause, Play, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { SelectionBar } from '#web/ui/data/selection-bar.tsx'
import { Button } from '#web/ui/form/button.tsx'

const dialogs = () => import('./many/many-mailboxes-dialogs.tsx')
const SetUpMany = lazyPart(async () => (await import('./many/set-up-many.tsx')).SetUpMany)
const ChangeMany = lazyPart(async () => (await dialogs()).ChangeMany)
const DeleteMany = lazyPart(async () => (await dialogs()).DeleteMany)

type Verb = 'set-up' | 'suspended' | 'active' | 'delete'

type MailboxVerbsProps = {
  mailboxes: readonly ListedMailbox[]
  /** Selected rows are still being read. */
  isReading: boolean
  onClear: () => void
}

export function MailboxVerbs({ mailboxes, isReading, onClear }: MailboxVerbsProps) {
  // A dialog is about the mailboxes that were selected when it opened: its verb may end their selection.
  const [asked, setAsked] = useState<{ verb: Verb; mailboxes: readonly ListedMailbox[] } | null>(
    null,
  )
  const canSetUp = useCan('set-up-access')
  const ask = (verb: Verb, about = mailboxes) => setAsked({ verb, mailboxes: about })
  const close = () => setAsked(null)
  const withStatus = (status: ListedMailbox['status']) =>
    mailboxes.filter((mailbox) => mailbox.status === status)
  const [active, suspended] = [withStatus('active'), withStatus('suspended')]
  const button = { variant: 'secondary', size: 'small', disabled: isReading } as const
  return (
    <>
      {mailboxes.length > 0 && (
        <SelectionBar count={mailboxes.length} onClear={onClear}>
          <Button {...button} disabled={isReading || !canSetUp} onClick={() => ask('set-up')}>
            <KeyRound aria-hidden />
            Set up access
          </Button>
          {active.length > 0 && (
            <Button {...button} onClick={() => ask('suspended', active)}>
              <Pause aria-hidden />
              Suspend
            </Button>
          )}
          {suspended.length > 0 && (
            <Button {...button} onClick={() => ask('active', suspended)}>
              <Play aria-hidden />
              Resume
            </Button>
          )}
          <Button
            {...button}
            onClick={async () => (await import('./many/mailboxes-csv.ts')).saveMailboxes(mailboxes)}
          >
            <Download aria-hidden />
            Export
          </Button>
          <Button {...button} onClick={() => ask('delete')}>
            <Trash2 aria-hidden />
            Delete
          </Button>
        </SelectionBar>
      )}
      <Suspense>
        {asked?.verb === 'set-up' && <SetUpMany mailboxes={asked.mailboxes} onClose={close} />}
        {(asked?.verb === 'active' || asked?.verb === 'suspended') && (
          <ChangeMany mailboxes={asked.mailboxes} status={asked.verb} onClose={close} />
        )}
        {asked?.verb === 'delete' && <DeleteMany mailboxes={asked.mailboxes} onClose={close} />}
      </Suspense>
    </>
  )
}
