/** Makes a new secret after a question, and shows it, this once. */
import { useState } from 'react'
import {
  FORMER_SECRET_HOURS,
  rotateWebhookSecret,
  type Webhook,
} from '#contract/developers/webhooks.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { LEAVING_SECRET, MadeSecret } from './made-secret.tsx'

type NewSecretDialogProps = { webhook: Webhook; onClose: () => void }

export function NewSecretDialog({ webhook, onClose }: NewSecretDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const [isSeen, setIsSeen] = useState(false)
  const unsaved = useUnsavedChanges(secret !== null && !isSeen, onClose, LEAVING_SECRET)
  const make = useCall(rotateWebhookSecret, { onSuccess: (made) => setSecret(made.secret) })
  const ask = () => make.mutate({ params: { id: webhook._id } })
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !make.isPending && unsaved.requestClose()}
        title={secret ? 'New secret' : 'Make a new secret?'}
        description={
          secret
            ? 'Give it to your server.'
            : `For ${FORMER_SECRET_HOURS} hours events are signed with both, so your server can change over in between. A secret before these two works no more.`
        }
        footer={
          secret ? (
            <Button variant="secondary" onClick={unsaved.leave}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={make.isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button isPending={make.isPending} onClick={ask}>
                {make.isPending ? 'Making it...' : 'Make new secret'}
              </Button>
            </>
          )
        }
      >
        {secret ? (
          <MadeSecret secret={secret} isNew={false} onCopied={() => setIsSeen(true)} />
        ) : (
          make.error && <FormAlert>{messageOf(make.error)}</FormAlert>
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}
