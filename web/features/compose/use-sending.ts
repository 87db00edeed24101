/**
 * Sends a message exactly once over any connection: retries with one key until the server answers or the writer stops it
 * (decision 027).
 */
import { useRef, useState } from 'react'
import { undoSend } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { createBackoff } from '#web/lib/time/backoff.ts'
import { toast, UNDO } from '#web/lib/toast-store.ts'
import { newUuid } from './local-copies.ts'
import { becomeNewDraft } from './save-once.ts'
import { lostFiles, send, undo, writingOf } from './send.ts'
import {
  type ComposeErrors,
  errorText,
  fieldErrorsOf,
  isUncertain,
  passing,
  passingWhileSending,
  sendRetryText,
} from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'
import type { Draft } from './use-draft.ts'

export const EARLIER_TRY_SENT =
  'Your first attempt was sent. The message that you see here was not sent; it is a separate draft.'

export type Sent = { key: string; undoSeconds: number }
type SendingOptions = { mailbox: Mailbox; draft: Draft; shelf: UploadShelf }

export function useSending({ mailbox, draft, shelf }: SendingOptions) {
  /** 'waiting': no answer, or the server is busy; a retry follows. */
  const [pending, setPending] = useState<'send' | 'waiting' | null>(null)
  const [refusal, setRefusal] = useState('')
  const [waitingFor, setWaitingFor] = useState('')
  const stop = useRef<AbortController | null>(null)

  /** Returns null when the message was not sent: the reason is in `refusal` or at the fields. */
  const run = async (
    values: ComposeValues,
    onFieldErrors: (errors: ComposeErrors) => void,
  ): Promise<Sent | null> => {
    // Ignores the second click of a double click.
    if (stop.current) return null
    stop.current = new AbortController()
    setRefusal('')
    setPending('send')
    const { signal } = stop.current
    await draft.keeper.stop()
    const backoff = createBackoff({ firstMs: 2_000, longestMs: 15_000 })
    let [isSecondTry, isOwnKey] = [false, false]
    while (!signal.aborted) {
      let writing: Awaited<ReturnType<typeof writingOf>> | null = null
      try {
        if (!(await settleEarlierSend(mailbox, draft, isOwnKey))) {
          setRefusal(EARLIER_TRY_SENT)
          break
        }
        draft.own.sendKey ??= newUuid()
        isOwnKey = true
        await draft.storeNow()
        const { identity, sendKey } = draft.own
        draft.own.identity = { ...identity, save: identity.save + 1 }
        writing = await writingOf(mailbox, values, shelf, draft.own.identity)
        const { undoSeconds } = await send(mailbox, writing, sendKey)
        return { key: sendKey, undoSeconds }
      } catch (error) {
        const temporary = passingWhileSending(error)
        if (temporary) {
          setPending('waiting')
          setWaitingFor(sendRetryText(error))
          await backoff.wait(signal, temporary.afterSeconds)
          continue
        }
        const lost = lostFiles(error, writing)
        if (!isSecondTry && lost.length > 0 && lost.every((id) => shelf.markLost(id))) {
          isSecondTry = true
          continue
        }
        if (isOwnKey && !isUncertain(error)) draft.own.sendKey = null
        const fieldErrors = fieldErrorsOf(error)
        onFieldErrors(fieldErrors)
        if (Object.keys(fieldErrors).length === 0) setRefusal(errorText(error))
        break
      }
    }
    stop.current = null
    setPending(null)
    draft.keeper.changed()
    draft.keeper.resume()
    return null
  }
  return { pending, refusal, waitingFor, setRefusal, run, stop: () => stop.current?.abort() }
}

/**
 * Ensures that the key of an earlier try, which was stopped or left by a crash, cannot send any more. Retries of one try keep
 * their key. @returns false when the earlier try was sent.
 */
export async function settleEarlierSend(
  mailbox: Mailbox,
  draft: Draft,
  isSameTry: boolean,
): Promise<boolean> {
  const { sendKey } = draft.own
  if (sendKey === null || isSameTry) return true
  const { state } = await undo(mailbox._id, sendKey, false)
  draft.own.sendKey = null
  if (state === 'sent') becomeNewDraft(mailbox, draft.own)
  return state === 'undone'
}

/**
 * Shows the toast 'Message sent', with Undo while the server still holds the message. `onRestored` gets the id of the restored
 * draft.
 */
export function toastSent(
  mailboxId: string,
  { key, undoSeconds }: Sent,
  onRestored: (messageId: string) => void,
): void {
  if (undoSeconds === 0) {
    toast({ title: 'Message sent', variant: 'success' })
    return
  }
  toast({
    ...{ title: 'Message sent', variant: 'success', durationMs: undoSeconds * 1000 },
    action: { label: UNDO, run: () => void undoSent(mailboxId, key, onRestored) },
  })
}

async function undoSent(
  mailboxId: string,
  key: string,
  onRestored: (messageId: string) => void,
): Promise<void> {
  try {
    const { state, messageId } = await undo(mailboxId, key, true)
    if (state === 'sent')
      toast({ title: 'Too late to undo', description: 'The message is on its way already.' })
    else if (messageId !== null) onRestored(messageId)
    await readAgain(queryClient, undoSend)
  } catch (error) {
    const description =
      passing(error)?.why === 'offline'
        ? 'There was no connection. The message is sent.'
        : messageOf(error)
    toast({ title: 'Sending could not be undone', description, variant: 'error' })
  }
}
