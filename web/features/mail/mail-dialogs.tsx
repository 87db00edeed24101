import { lazy, Suspense } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import type { useMail } from './use-mail.ts'

const ComposeDialog = lazy(async () => ({
  default: (await import('./compose/compose-dialog.tsx')).ComposeDialog,
}))

type MailDialogsProps = { mail: ReturnType<typeof useMail>; mailbox: Mailbox }

export function MailDialogs({ mail, mailbox }: MailDialogsProps) {
  const { composing, reader, doomed, setDoomed } = mail
  return (
    <>
      <Suspense>
        {composing.request && (
          <ComposeDialog
            key={composing.request.key}
            mailbox={mailbox}
            request={composing.request}
            onClose={composing.close}
          />
        )}
      </Suspense>
      {mail.isHelpOpen && <ShortcutsDialog onClose={() => mail.setIsHelpOpen(false)} />}
      <ConfirmDialog
        isOpen={doomed !== null}
        onOpenChange={(isOpen) => !isOpen && setDoomed(null)}
        title="Delete this message for good?"
        description={`“${doomed?.subject || '(no subject)'}” cannot be brought back.`}
        confirmText="Delete for good"
        onConfirm={() => {
          if (doomed) void reader.deleteForever(doomed)
          setDoomed(null)
        }}
      />
    </>
  )
}
