import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Mailbox, mailboxCan } from '#contract/mailboxes.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, InputField } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { AttachmentsField } from './attachments-field.tsx'
import { BodyField } from './body-field.tsx'
import { ComposeFooter } from './compose-footer.tsx'
import { ComposeQuestions } from './compose-questions.tsx'
import type { ComposeRequest, ComposeStart } from './compose-start.ts'
import { OfflineNote } from './offline-note.tsx'
import { RecipientsField } from './recipients/recipients-field.tsx'
import { type ComposeErrors, cannotSend } from './trouble.ts'
import { type Compose, type ComposeEnds, useCompose } from './use-compose.ts'
import { type ComposeValues, errorAt, type RecipientField } from './use-compose-fields.ts'
import { Dock, type DockWindow } from './windows/dock.tsx'
import type { LetterHandle } from './windows/letters.ts'

type ComposeFormProps = {
  mailbox: Mailbox
  request: ComposeRequest
  start: ComposeStart
  frame: DockWindow
  ends: ComposeEnds
  onOpen: (key: string, handle: LetterHandle | null) => void
}

export function ComposeForm(props: ComposeFormProps) {
  const { mailbox, request, start, frame, ends } = props
  const compose = useCompose(mailbox, request, start, ends)
  const { values, errors, change, pending, refusal, draft, leave } = compose
  const canSend = mailboxCan.send(mailbox)
  useHandle(compose, props)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (compose.refusals > 0) focusFirstWrong(fields.current)
  }, [compose.refusals])
  const sendOnCtrlEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !canSend) return
    event.preventDefault()
    void compose.submit()
  }
  return (
    <Dock
      frame={frame}
      title={request.title}
      subject={values.subject}
      onClose={() => void leave(true)}
      onFiles={compose.addFiles}
      footer={<ComposeFooter compose={compose} canSend={canSend} />}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter anywhere in the form is a shortcut to its button */}
      <div
        ref={fields}
        className="flex flex-1 flex-col gap-2.5"
        inert={pending !== null && pending !== 'save'}
        onKeyDown={sendOnCtrlEnter}
      >
        <Notices refusal={refusal || (canSend ? '' : cannotSend)} note={draft.note} />
        <FromField
          mailbox={mailbox}
          addresses={start.addresses}
          value={values.from}
          onChange={(from) => change({ from })}
          error={errors.from}
        />
        <RecipientFields
          mailboxId={mailbox._id}
          values={values}
          errors={errors}
          onChange={change}
          isFocused={!request.isAnswer}
        />
        <InputField
          isInline
          label="Subject"
          error={errors.subject}
          value={values.subject}
          onChange={({ target }) => change({ subject: target.value })}
        />
        <AttachmentsField
          files={values.attachments}
          shelf={compose.shelf}
          onAdd={compose.addFiles}
          onRemove={compose.removeFile}
          error={compose.fileRefusal ?? errors.attachments}
        />
        <BodyField
          compose={compose}
          start={start}
          signature={mailbox.signature}
          isFocused={request.isAnswer}
        />
      </div>
      <ComposeQuestions compose={compose} />
    </Dock>
  )
}

type NoticesProps = { refusal: ReactNode; note: ReactNode }

/** Why the message cannot be sent, and news about its draft. */
function Notices({ refusal, note }: NoticesProps) {
  return (
    <>
      <OfflineNote className="rounded-control px-3 py-2" />
      {refusal && <FormAlert>{refusal}</FormAlert>}
      {note && (
        <p role="status" className="rounded-control bg-accent-wash px-3 py-2 text-sm">
          {note}
        </p>
      )}
    </>
  )
}

/** Gives `onOpen` what others may do with the form, and null when the form is closed. */
function useHandle(compose: Compose, { request, onOpen }: ComposeFormProps): void {
  const latest = useRef(compose)
  useEffect(() => {
    latest.current = compose
  })
  const { key, files } = request
  useEffect(() => {
    onOpen(key, {
      leave: () => latest.current.leave(true),
      addFiles: (files) => latest.current.addFiles(files),
      isUntouched: () => !latest.current.isDirty && latest.current.draft.own.messageId === null,
      messageId: () => latest.current.draft.own.messageId,
    })
    if (files) latest.current.addFiles(files)
    return () => onOpen(key, null)
  }, [onOpen, key, files])
}

/** A field with an error, or else the text. */
const focusFirstWrong = (fields: HTMLElement | null): void => {
  const wrong = fields?.querySelector<HTMLElement>('[aria-invalid=true]')
  wrong?.focus()
}

type RecipientFieldsProps = {
  mailboxId: string
  values: ComposeValues
  errors: ComposeErrors
  onChange: (next: Partial<ComposeValues>) => void
  /** true: the first box takes the focus. */
  isFocused: boolean
}

/** The To field; Cc and Bcc when they are filled or the writer opens them. */
export function RecipientFields(props: RecipientFieldsProps) {
  const { mailboxId, values, errors, onChange, isFocused } = props
  const [hasCc, setHasCc] = useState(values.cc.length > 0 || values.bcc.length > 0)
  // An answer to all has Cc: Bcc would take the room of the text.
  const [hasBcc, setHasBcc] = useState(values.bcc.length > 0)
  const field = (name: RecipientField, label: string, aside?: React.ReactNode) => (
    <RecipientsField
      mailboxId={mailboxId}
      label={label}
      required={name === 'to'}
      isFocused={isFocused && name === 'to'}
      entries={values[name]}
      typed={values.typed[name]}
      error={errorAt(errors, values, name)}
      onChange={(entries, typed) =>
        onChange({ [name]: entries, typed: { ...values.typed, [name]: typed } })
      }
      {...(aside ? { aside } : {})}
    />
  )
  return (
    <>
      {field(
        'to',
        'To',
        !hasCc && (
          <Button
            variant="link"
            size="inline"
            onClick={() => {
              setHasCc(true)
              setHasBcc(true)
            }}
          >
            Cc and Bcc
          </Button>
        ),
      )}
      {hasCc &&
        field(
          'cc',
          'Cc',
          !hasBcc && (
            <Button
              variant="link"
              size="inline"
              aria-label="Add Bcc"
              onClick={() => setHasBcc(true)}
            >
              Bcc
            </Button>
          ),
        )}
      {hasBcc && field('bcc', 'Bcc')}
    </>
  )
}

type FromFieldProps = {
  mailbox: Mailbox
  addresses: readonly string[]
  value: string
  onChange: (from: string) => void
  error?: string | undefined
}

/** Shows the sender, or a choice when the mailbox has several addresses. */
export function FromField({ mailbox, addresses, value, onChange, error }: FromFieldProps) {
  if (addresses.length <= 1)
    return (
      <p className="wrap-anywhere text-soft text-xs">
        From {mailbox.fullName} &lt;{mailbox.email}&gt;
      </p>
    )
  const options = addresses.map((address) => ({ value: address, label: address }))
  return (
    <Field
      isInline
      label="From"
      aside={
        <span dir="auto" className="block max-w-40 truncate text-soft text-xs">
          {mailbox.fullName}
        </span>
      }
      error={error}
    >
      {(control) => (
        <Select {...control} value={value} onValueChange={onChange} options={options} />
      )}
    </Field>
  )
}
