/** The life of one message that is being written: sending, saving, and leaving without losing it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { listFolders, listMessages } from '#contract/messages.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { useKept } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { createLocalImages, type LocalImages } from '#web/ui/editor/local-images.ts'
import { brakeRefusal } from '../sending/brake-refusal.ts'
import type { ComposeRequest, ComposeStart } from './compose-start.ts'
import { fieldErrorsOf, refusalOf, removeDraft, send } from './send.ts'
import { type ComposeValues, faultsIn, finished, useComposeFields } from './use-compose-fields.ts'

export type Pending = 'send' | 'save' | 'discard' | null

const nameOf = (mailbox: Mailbox, { title }: ComposeRequest, start: ComposeStart): string =>
  ['compose', mailbox._id, title, start.inReplyTo, start.draftId].join(' ')

type Kept = { values: ComposeValues; images: LocalImages }

export function useCompose(
  mailbox: Mailbox,
  request: ComposeRequest,
  start: ComposeStart,
  close: () => void,
) {
  const client = useQueryClient()
  const isKept = useRef(false)
  const kept: Kept | undefined = useKept(nameOf(mailbox, request, start), (): Kept | undefined => {
    isKept.current = fields.isDirty
    return fields.isDirty ? { values: fields.values, images } : undefined
  })
  const fields: ReturnType<typeof useComposeFields> = useComposeFields(start, kept?.values)
  const [images] = useState((): LocalImages => kept?.images ?? createLocalImages())
  // Pictures stay as long as the text that shows them.
  useEffect(() => () => void (isKept.current || images.release()), [images])
  const [pending, setPending] = useState<Pending>(null)
  const [refusal, setRefusal] = useState('')
  const leaving = useLeaving(fields.isDirty, close)

  const submit = async (isDraft: boolean) => {
    const values = finished(fields.values)
    fields.change(values)
    setRefusal('')
    leaving.stay()
    const faults = faultsIn(values, isDraft)
    fields.setErrors(faults)
    if (Object.keys(faults).length > 0) return
    setPending(isDraft ? 'save' : 'send')
    try {
      await send(mailbox, values, images, isDraft)
    } catch (error) {
      setPending(null)
      const atFields = fieldErrorsOf(error)
      fields.setErrors(atFields)
      if (Object.keys(atFields).length === 0)
        setRefusal(brakeRefusal(error) ?? refusalOf(error, isDraft))
      return
    }
    leaving.leave()
    toast({ title: isDraft ? 'Draft saved' : 'Message sent', variant: 'success' })
    await readAgain(client, listFolders, listMessages)
  }
  const deleteDraft = async () => {
    if (!start.draftId) return
    setPending('discard')
    try {
      await removeDraft(mailbox, start.draftId)
      leaving.leave()
      toast({ title: 'Draft deleted' })
    } catch (error) {
      setPending(null)
      setRefusal(refusalOf(error, true))
    }
    await readAgain(client, listFolders, listMessages)
  }
  const firstBody = kept?.values.body ?? start.body
  return { ...fields, firstBody, images, pending, refusal, submit, deleteDraft, leaving }
}

/** Asks before what was written is lost by a click beside the dialog, the back button or a reload. */
function useLeaving(isDirty: boolean, close: () => void) {
  const isLeaving = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  const blocker = useBlocker(() => isDirty && !isLeaving.current)
  useBeforeUnload((event) => {
    if (isDirty && !isLeaving.current) event.preventDefault()
  })
  const leave = () => {
    isLeaving.current = true
    if (blocker.state === 'blocked') blocker.proceed()
    else close()
  }
  return {
    isAsking: isAsking || blocker.state === 'blocked',
    leave,
    stay: () => {
      setIsAsking(false)
      if (blocker.state === 'blocked') blocker.reset()
    },
    request: () => (isDirty ? setIsAsking(true) : leave()),
  }
}
