/** The life of one message that is being written: its files, saving it while one types, sending, and leaving without losing it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendWriting } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import type { ComposeRequest, ComposeStart } from './compose-start.ts'
import { removeDraft, undo } from './send.ts'
import { type ComposeErrors, fieldErrorsOf, refusalOf } from './trouble.ts'
import { faultsIn, finished, useComposeFields } from './use-compose-fields.ts'
import { type Draft, useDraft } from './use-draft.ts'
import { useFiles } from './use-files.ts'
import { type Sent, useSending } from './use-sending.ts'

export type Question = 'attachment' | 'blank' | 'close' | 'delete' | null

export type ComposeEnds = {
  close: () => void
  /** It is gone from the form; `key` can take it back. */
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
  const lists = () => readAgain(client, sendWriting)
  const end = async () => {
    await draft.finish()
    ends.close()
  }

  const submit = async (isSure = false) => {
    if (pending !== null) return
    const whole = finished(values)
    fields.change(whole)
    const faults = faultsIn(whole, false)
    fields.setErrors(faults)
    if (Object.keys(faults).length > 0) return
    if (!isSure && isBlank(whole, mailbox.signature)) return ask('blank')
    if (!isSure && forgotAttachment(whole, start)) return ask('attachment')
    ask(null)
    const sent = await sending.run(whole, fields.setErrors)
    if (sent === null) return
    await end()
    ends.onSent(sent)
    await lists()
  }
  const leaving = useLeaving({ mailbox, draft, pending, ask, end, lists, sending, setPending })
  useProblems(draft, fields.setErrors)
  useEarlierTry(mailbox, draft, end)
  const problem = draft.state === 'refused' ? problemWords(draft.problem) : ''
  return {
    ...{ ...fields, ...files, draft, pending, question, ask, submit, ...leaving },
    refusal: sending.refusal || problem,
    waitingFor: sending.waitingFor,
    stopSending: sending.stop,
    /** Leaves it as it is in this browser. */
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
const picturesIn = (html: string): number => html.match(/<img\b/gi)?.length ?? 0

/** Whether there is nothing to read in it: no subject, no file, and no text but the signature. */
export const isBlank = (written: Written, signature: string): boolean =>
  written.subject.trim() === '' &&
  written.attachments.length === 0 &&
  !(written.isQuoted && written.quotation !== '') &&
  textOf(written.body).replace(textOf(signature), '').trim() === '' &&
  picturesIn(written.body) <= picturesIn(signature)

type ToLookThrough = { body: string; subject: string; attachments: readonly unknown[] }

const speaksOfFile = /\b(?:attach(?:ed|ing|ment|ments)?|enclosed)\b/i

const writtenText = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** Whether the text speaks of an attachment and there is none. What stood there at the start, a signature, says nothing. */
export const forgotAttachment = (written: ToLookThrough, start: { body: string }): boolean =>
  written.attachments.length === 0 &&
  speaksOfFile.test(
    `${written.subject} ${writtenText(written.body).replace(writtenText(start.body).trim(), '')}`,
  )

type LeavingGiven = {
  mailbox: Mailbox
  draft: Draft
  pending: string | null
  ask: (question: Question) => void
  end: () => Promise<void>
  lists: () => Promise<void>
  sending: ReturnType<typeof useSending>
  setPending: (pending: 'save' | 'delete' | null) => void
}

/** The ways out that are no sending. */
function useLeaving(given: LeavingGiven) {
  const { mailbox, draft, pending, ask, end, lists, sending, setPending } = given
  const isLeaving = useRef(false)
  /** @returns whether it is closed: it stays when something would be lost. `isAsking`: then it asks what to do. */
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
      else if (state === 'waiting') sending.setRefusal(refusalOf(draft.problemNow()))
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
      sending.setRefusal(refusalOf(error))
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

const problemWords = (problem: unknown): string =>
  Object.keys(fieldErrorsOf(problem)).length > 0
    ? 'This is not saved yet: please look at the marked fields.'
    : refusalOf(problem)

/** What the server says of a field when it saves stands at the field, until it has taken it. */
function useProblems(
  { problem }: Draft,
  setErrors: ReturnType<typeof useComposeFields>['setErrors'],
) {
  const told = useRef<ComposeErrors>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each problem
  useEffect(() => {
    const before = told.current
    told.current = fieldErrorsOf(problem)
    setErrors((errors) => ({
      ...Object.fromEntries(
        Object.entries(errors).filter(([field, message]) => before[field] !== message),
      ),
      ...told.current,
    }))
  }, [problem])
}

/** The tab ended while it was being sent: did it arrive? */
function useEarlierTry(mailbox: Mailbox, draft: Draft, end: () => Promise<void>) {
  const isAsked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    const { sendKey } = draft.own
    if (isAsked.current || sendKey === null) return
    isAsked.current = true
    undo(mailbox._id, sendKey, false).then(
      async ({ state }) => {
        draft.own.sendKey = null
        if (state === 'undone')
          return draft.setNote('This was not sent yet. It is here as you left it.')
        await end()
        toast({ title: 'Message sent', variant: 'success' })
      },
      // Asked again before it is sent.
      () => undefined,
    )
  }, [])
}
