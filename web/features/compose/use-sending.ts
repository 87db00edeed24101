/**
 * Sending, once, whatever the connection does: a key is tried until there is an answer, or it is stopped for good
 * (decision 027).
 */
import { useRef, useState } from 'react'
import { undoSend } from '#contract/mail/writing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { pause } from '#web/lib/time/pause.ts'
import { toast } from '#web/lib/toast-store.ts'
import { newUuid } from './local-copies.ts'
import { becomeNewDraft } from './save-once.ts'
import { lostFiles, send, undo, writingOf } from './send.ts'
import {
  type ComposeErrors,
  fieldErrorsOf,
  isUncertain,
  passing,
  passingWhileSending,
  refusalOf,
  sendingLaterWords,
} from './trouble.ts'
import type { UploadShelf } from './upload-shelf.ts'
import type { ComposeValues } from './use-compose-fields.ts'
import type { Draft } from './use-draft.ts'

export const SENT_BEFORE =
  'Your first try was sent. What you see here now was not sent; it is a separate draft.'

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 15_000

export type Sent = { key: string; undoSeconds: number }
type Given = { mailbox: Mailbox; draft: Draft; shelf: UploadShelf }

export function useSending({ mailbox, draft, shelf }: Given) {
  /** waiting: no answer came, or not now; it is tried again. */
  const [pending, setPending] = useState<'send' | 'waiting' | null>(null)
  const [refusal, setRefusal] = useState('')
  const [waitingFor, setWaitingFor] = useState('')
  const stop = useRef<AbortController | null>(null)

  /** null when it was not sent: the reason is in `refusal`, or at the fields. */
  const run = async (
    values: ComposeValues,
    onFaults: (errors: ComposeErrors) => void,
  ): Promise<Sent | null> => {
    // The second click of a double click.
    if (stop.current) return null
    stop.current = new AbortController()
    setRefusal('')
    setPending('send')
    const { signal } = stop.current
    await draft.keeper.stop()
    let [failures, isSecondTry, isOwnKey] = [0, false, false]
    while (!signal.aborted) {
      let writing: Awaited<ReturnType<typeof writingOf>> | null = null
      try {
        if (!(await settle(mailbox, draft, isOwnKey))) {
          setRefusal(SENT_BEFORE)
          break
        }
        draft.own.sendKey ??= newUuid()
        isOwnKey = true
        await draft.keepHere()
        const { identity, sendKey } = draft.own
        draft.own.identity = { ...identity, save: identity.save + 1 }
        writing = await writingOf(mailbox, values, shelf, draft.own.identity)
        const { undoSeconds } = await send(mailbox, writing, sendKey)
        return { key: sendKey, undoSeconds }
      } catch (error) {
        const trouble = passingWhileSending(error)
        if (trouble) {
          setPending('waiting')
          setWaitingFor(sendingLaterWords(error))
          const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS)
          failures += 1
          await pause(Math.max(pauseMs, trouble.afterSeconds * 1000), signal)
          continue
        }
        const lost = lostFiles(error, writing)
        if (!isSecondTry && lost.length > 0 && lost.every((id) => shelf.lost(id))) {
          isSecondTry = true
          continue
        }
        if (isOwnKey && !isUncertain(error)) draft.own.sendKey = null
        const faults = fieldErrorsOf(error)
        onFaults(faults)
        if (Object.keys(faults).length === 0) setRefusal(refusalOf(error))
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
 * A key of an earlier try that was stopped, or left by a crash, must not send any more. While one try goes on its key stays.
 * @returns false when that one was sent.
 */
export async function settle(mailbox: Mailbox, draft: Draft, isSameTry: boolean): Promise<boolean> {
  const { sendKey } = draft.own
  if (sendKey === null || isSameTry) return true
  const { state } = await undo(mailbox._id, sendKey, false)
  draft.own.sendKey = null
  if (state === 'sent') becomeNewDraft(mailbox, draft.own)
  return state === 'undone'
}

/** While it waits on the server the toast can take it back; `bringBack` gets the draft that it is again. */
export function sayThatItIsSent(
  mailboxId: string,
  { key, undoSeconds }: Sent,
  bringBack: (messageId: string) => void,
): void {
  if (undoSeconds === 0) {
    toast({ title: 'Message sent', variant: 'success' })
    return
  }
  toast({
    ...{ title: 'Message sent', variant: 'success', durationMs: undoSeconds * 1000 },
    action: { label: 'Undo', run: () => void takeBack(mailboxId, key, bringBack) },
  })
}

async function takeBack(
  mailboxId: string,
  key: string,
  bringBack: (messageId: string) => void,
): Promise<void> {
  try {
    const { state, messageId } = await undo(mailboxId, key, true)
    if (state === 'sent')
      toast({ title: 'Too late to undo', description: 'The message is on its way already.' })
    else if (messageId !== null) bringBack(messageId)
    await readAgain(queryClient, undoSend)
  } catch (error) {
    const description =
      passing(error)?.why === 'offline'
        ? 'There was no connection. The message is sent.'
        : messageOf(error)
    toast({ title: 'It could not be undone', description, variant: 'error' })
  }
}
