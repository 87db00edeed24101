import { Send, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { type Mailbox, mailboxCan } from '#contract/mailboxes.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { AttachmentsField } from './attachments-field.tsx'
import { BodyField } from './body-field.tsx'
import type { ComposeRequest, ComposeStart } from './compose-start.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { RecipientFields } from './recipient-fields.tsx'
import { cannotSend } from './send.ts'
import { FromField } from './sender/from-field.tsx'
import { useCompose } from './use-compose.ts'

type ComposeFormProps = {
  mailbox: Mailbox
  request: ComposeRequest
  start: ComposeStart
  onClose: () => void
}

export function ComposeForm({ mailbox, request, start, onClose }: ComposeFormProps) {
  const compose = useCompose(mailbox, request, start, onClose)
  const { values, errors, change, pending, refusal, leaving } = compose
  const canSend = mailboxCan.send(mailbox)
  const hasChoice = start.addresses.length > 1
  const sendOnCtrlEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !canSend || pending) return
    event.preventDefault()
    void compose.submit(false)
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && pending === null && leaving.request()}
        title={request.title}
        {...(hasChoice ? {} : { description: `From ${mailbox.fullName} <${mailbox.email}>` })}
        size="large"
        footer={<Footer compose={compose} start={start} canSend={canSend} />}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter anywhere in the form is a shortcut to its button */}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5" onKeyDown={sendOnCtrlEnter}>
          {refusal && <FormAlert>{refusal}</FormAlert>}
          {!canSend && !refusal && <FormAlert>{cannotSend}</FormAlert>}
          {hasChoice && (
            <FromField
              mailbox={mailbox}
              addresses={start.addresses}
              value={values.from}
              onChange={(from) => change({ from })}
              error={errors.from}
            />
          )}
          <RecipientFields
            values={values}
            errors={errors}
            onChange={change}
            isFocused={!request.isAnswer}
          />
          <Field label="Subject" error={errors.subject}>
            {(control) => (
              <Input
                {...control}
                value={values.subject}
                onChange={({ target }) => change({ subject: target.value })}
              />
            )}
          </Field>
          <AttachmentsField
            files={values.attachments}
            onAdd={(files) => change({ attachments: [...values.attachments, ...files] })}
            onRemove={(key) =>
              change({ attachments: values.attachments.filter((file) => file.key !== key) })
            }
            error={errors.attachments}
          />
          <BodyField compose={compose} start={start} isFocused={request.isAnswer} />
        </div>
      </Dialog>
      <LeaveQuestion compose={compose} />
    </>
  )
}

type FooterProps = {
  compose: ReturnType<typeof useCompose>
  start: ComposeStart
  canSend: boolean
}

function Footer({ compose, start, canSend }: FooterProps) {
  const { pending } = compose
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      {start.draftId && (
        <Button
          variant="quiet"
          className="mr-auto"
          disabled={pending !== null}
          onClick={() => setIsAsking(true)}
        >
          <Trash2 aria-hidden />
          Delete draft
        </Button>
      )}
      <Button
        variant="secondary"
        isPending={pending === 'save'}
        disabled={pending !== null}
        onClick={() => void compose.submit(true)}
      >
        {pending === 'save' ? 'Saving...' : 'Save draft'}
      </Button>
      <Button
        isPending={pending === 'send'}
        disabled={!canSend || pending !== null}
        onClick={() => void compose.submit(false)}
      >
        {pending !== 'send' && <Send aria-hidden />}
        {pending === 'send' ? 'Sending...' : 'Send'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Delete this draft?"
        description="It is deleted for good."
        confirmText="Delete draft"
        isPending={pending === 'discard'}
        onConfirm={() => void compose.deleteDraft().then(() => setIsAsking(false))}
      />
    </>
  )
}
