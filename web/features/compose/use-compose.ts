/** A message being written: its files, saving while the writer types, sending, and leaving without losing it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendWriting } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import type { ComposeRequest, ComposeStart } from './compose-start.ts'
import { removeDraft, undo } from './send.ts'
import { type ComposeErrors, errorText, fieldErrorsOf } from './trouble.ts'
import { errorsIn, useComposeFields, withTypedEntries } from './use-compose-fields.ts'
import { type Draft, useDraft } from './use-draft.ts'
import { useFiles } from './use-files.ts'
import { type Sent, useSending } from './use-sending.ts'

export type Question = 'attachment' | 'blank' | 'close' | 'delete' | null

export type ComposeEnds = {
  close: () => void
  /** Called when the message was sent; `key` can undo that. */
  onSent: (sent: Sent) => void
}

export function useCompose(
  mailbox: Mailbox,
  request: ComposeRequest,
  start: ComposeStart,
  ends: ComposeEnds,
) {
  const client = useQueryClient()
  const fields = useComposeFields(start)
  const { values, isDirty } = fields
  const files = useFiles(mailbox._id, start, fields)
  const { shelf } = files
  const { title, draftId } = request
  const draft = useDraft({ mailbox, title, start, draftId, values, isDirty, shelf })
  const sending = useSending({ mailbox, draft, shelf })
  const [question, ask] = useState<Question>(null)
  const [leavingBy, setPending] = useState<'save' | 'delete' | null>(null)
  const pending = leavingBy ?? sending.pending
  const reloadLists = () => readAgain(client, sendWriting)
  const end = async () => {
    await draft.finish()
    ends.close()
  }

  /** How often fields with errors stopped the message from being sent. */
  const [refusals, setRefusals] = useState(0)
  const setSendErrors = (fieldErrors: ComposeErrors) => {
    fields.setErrors(fieldErrors)
    if (Object.keys(fieldErrors).length > 0) setRefusals((count) => count + 1)
  }
  const submit = async (isSure = false) => {
    if (pending !== null) return
    const completed = withTypedEntries(values)
    fields.change(completed)
    const fieldErrors = errorsIn(completed, false)
    setSendErrors(fieldErrors)
    if (Object.keys(fieldErrors).length > 0) return
    if (!isSure && isBlank(completed, mailbox.signature)) return ask('blank')
    if (!isSure && forgotAttachment(completed, start)) return ask('attachment')
    ask(null)
    const sent = await sending.run(completed, setSendErrors)
    if (sent === null) return
    await end()
    ends.onSent(sent)
    await reloadLists()
  }
  const leaving = useLeaving({
    mailbox,
    draft,
    pending,
    ask,
    end,
    lists: reloadLists,
    sending,
    setPending,
  })
  useProblems(draft, fields.setErrors)
  useUnfinishedSend(mailbox, draft, end)
  const problem = draft.state === 'refused' ? problemText(draft.problem) : ''
  return {
    ...{ ...fields, ...files, draft, pending, question, ask, submit, refusals, ...leaving },
    refusal: sending.refusal || problem,
    waitingFor: sending.waitingFor,
    stopSending: sending.stop,
    /** Leaves only the copy in this browser. */
    closeUnsaved: ends.close,
  }
}

type Written = {
  body: string
  subject: string
  attachments: readonly unknown[]
  quotation: string
  isQuoted: boolean
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
export const picturesIn = (html: string): number => html.match(/<img\b/gi)?.length ?? 0

/** True when the message has no subject, no file, and no text but the signature. */
export const isBlank = (written: Written, signature: string): boolean =>
  written.subject.trim() === '' &&
  written.attachments.length === 0 &&
  !(written.isQuoted && written.quotation !== '') &&
  textOf(written.body).replace(textOf(signature), '').trim() === '' &&
  picturesIn(written.body) <= picturesIn(signature)

type WrittenText = { body: string; subject: string; attachments: readonly unknown[] }

const mentionsFile = /\b(?:attach(?:ed|ing|ment|ments)?|enclosed)\b/i

const writtenText = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** True when the text mentions an attachment and there is none. The initial text, such as a signature, does not count. */
export const forgotAttachment = (written: WrittenText, start: { body: string }): boolean =>
  written.attachments.length === 0 &&
  mentionsFile.test(
    `${written.subject} ${writtenText(written.body).replace(writtenText(start.body).trim(), '')}`,
  )

type LeavingOptions = {
  mailbox: Mailbox
  draft: Draft
  pending: string | null
  ask: (question: Question) => void
  end: () => Promise<void>
  lists: () => Promise<void>
  sending: ReturnType<typeof useSending>
  setPending: (pending: 'save' | 'delete' | null) => void
}

/** Leaving the form without sending. */
function useLeaving(options: LeavingOptions) {
  const { mailbox, draft, pending, ask, end, lists, sending, setPending } = options
  const isLeaving = useRef(false)
  /** Returns true when the form closed; it stays open when text would be lost. `isAsking`: then asks the writer what to do. */
  const leave = async (isAsking: boolean): Promise<boolean> => {
    if (pending !== null || isLeaving.current) return false
    isLeaving.current = true
    setPending('save')
    sending.setRefusal('')
    const state = await draft.keeper.flush()
    isLeaving.current = false
    setPending(null)
    if (state !== 'saved' && state !== 'untouched') {
      if (isAsking) ask('close')
      else if (state === 'waiting') sending.setRefusal(errorText(draft.problemNow()))
      return false
    }
    await end()
    if (state === 'saved') toast({ title: 'Draft saved', variant: 'success' })
    void lists()
    return true
  }
  const deleteDraft = async () => {
    setPending('delete')
    await draft.keeper.stop()
    try {
      if (draft.own.messageId !== null) await removeDraft(mailbox, draft.own.messageId)
      await end()
      toast({ title: 'Draft deleted' })
    } catch (error) {
      setPending(null)
      draft.keeper.resume()
      sending.setRefusal(errorText(error))
    }
    await lists()
  }
  const discard = async () => {
    await draft.keeper.stop()
    await end()
  }
  return { leave, deleteDraft, discard }
}

export type Compose = ReturnType<typeof useCompose>

const problemText = (problem: unknown): string =>
  Object.keys(fieldErrorsOf(problem)).length > 0
    ? 'This message is not saved yet: please correct the marked fields.'
    : errorText(problem)

/** Shows errors that saving found at their fields, until a save succeeds. */
function useProblems(
  { problem }: Draft,
  setErrors: ReturnType<typeof useComposeFields>['setErrors'],
) {
  const shownErrors = useRef<ComposeErrors>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each problem
  useEffect(() => {
    const before = shownErrors.current
    shownErrors.current = fieldErrorsOf(problem)
    setErrors((errors) => ({
      ...Object.fromEntries(
        Object.entries(errors).filter(([field, message]) => before[field] !== message),
      ),
      ...shownErrors.current,
    }))
  }, [problem])
}

/** The tab ended while the message was being sent: asks the server whether it arrived. */
function useUnfinishedSend(mailbox: Mailbox, draft: Draft, end: () => Promise<void>) {
  const hasAsked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    const { sendKey } = draft.own
    if (hasAsked.current || sendKey === null) return
    hasAsked.current = true
    undo(mailbox._id, sendKey, false).then(
      async ({ state }) => {
        draft.own.sendKey = null
        if (state === 'undone')
          return draft.setNote('This message was not sent yet. It is here as you left it.')
        await end()
        toast({ title: 'Message sent', variant: 'success' })
      },
      // Sending asks again before it repeats the request.
      () => undefined,
    )
  }, [])
}
