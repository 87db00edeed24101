/** Whether the pictures of a message from elsewhere are shown, and those that have come. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  addPictureSender,
  isSenderProven,
  listPictureSenders,
  type PictureSender,
  removePictureSender,
} from '#contract/mail/pictures.ts'
import type { Message } from '#contract/messages.ts'
import { open } from '#web/lib/api/api.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'

export type Pictures = {
  /** By the address that stands in the message. */
  shown: ReadonlyMap<string, string>
  /** `none`: it has none. `asking`: what the reader wants is not known yet. */
  state: 'none' | 'asking' | 'hidden' | 'loading' | 'shown'
  missing: number
  /** Whose pictures may always be shown; null when that is not offered. */
  sender: string | null
  isAlways: boolean
  show: () => void
  showAlways: () => void
  stopAlways: () => void
  /** The addresses that the frame found in the message. */
  onFound: (urls: readonly string[]) => void
}

const none: ReadonlyMap<string, string> = new Map()
/** More than any honest newsletter has; the others are not waited for. */
const MAX_PICTURES = 400

export function usePictures(mailboxId: string, message: Message): Pictures {
  const [urls, setUrls] = useState<readonly string[]>([])
  const [isAsked, setIsAsked] = useState(false)
  const onFound = useCallback((all: readonly string[]) => {
    const found = all.slice(0, MAX_PICTURES)
    setUrls((known) => (known.join('\n') === found.join('\n') ? known : found))
  }, [])
  const consent = useConsent(mailboxId, message, urls.length > 0)
  const isWanted = urls.length > 0 && (isAsked || consent.kept !== undefined)
  const { shown, missing } = useFetched(mailboxId, message._id, isWanted ? urls : noUrls)
  const isHidden = consent.isPending ? 'asking' : 'hidden'
  const come = shown.size + missing < urls.length ? 'loading' : 'shown'
  return {
    ...{ shown, missing, onFound },
    state: urls.length === 0 ? 'none' : isWanted ? come : isHidden,
    sender: consent.sender,
    isAlways: consent.kept !== undefined,
    show: () => setIsAsked(true),
    showAlways: () => {
      setIsAsked(true)
      consent.keep()
    },
    stopAlways: () => {
      setIsAsked(false)
      consent.drop()
    },
  }
}

const noUrls: readonly string[] = []

/** A name alone is anybody's: only a sender whom the checks proved has what was once agreed to. */
function useConsent(mailboxId: string, message: Message, isNeeded: boolean) {
  const client = useQueryClient()
  const params = { id: mailboxId }
  const isTrusted = isSenderProven(message.authentication) && message.folder !== 'junk'
  const sender = isTrusted ? (message.from?.address.toLowerCase() ?? null) : null
  const isAsked = isNeeded && sender !== null
  const senders = useApi(listPictureSenders, { params }, { enabled: isAsked, staleTime: 60_000 })
  const edit = (change: (senders: PictureSender[]) => PictureSender[]) =>
    client.setQueryData<PictureSender[]>(keyOf(listPictureSenders, { params }), (known = []) =>
      change(known),
    )
  const add = useCall(addPictureSender, {
    onSuccess: (added) => edit((known) => [...known.filter(({ _id }) => _id !== added._id), added]),
    onError: (error) =>
      toast({ title: 'This could not be saved', description: error.message, variant: 'error' }),
  })
  const remove = useCall(removePictureSender, {
    onError: (error) =>
      toast({ title: 'This could not be undone', description: error.message, variant: 'error' }),
  })
  const kept = sender ? senders.data?.find(({ address }) => address === sender) : undefined
  return {
    ...{ sender, kept },
    isPending: isAsked && senders.isPending,
    keep: () => add.mutate({ params, body: { messageId: message._id } }),
    drop: () => {
      if (!kept) return
      edit((known) => known.filter(({ _id }) => _id !== kept._id))
      remove.mutate({ params: { ...params, senderId: kept._id } })
    },
  }
}

/** As addresses of this page, released with it. */
function useFetched(mailboxId: string, messageId: string, urls: readonly string[]) {
  const [shown, setShown] = useState(none)
  const [missing, setMissing] = useState(0)
  useEffect(() => {
    setShown(none)
    setMissing(0)
    if (urls.length === 0) return
    const stop = new AbortController()
    const made: string[] = []
    const onPicture = (url: string, blob: Blob | null) => {
      if (blob === null) return setMissing((count) => count + 1)
      const address = URL.createObjectURL(blob)
      made.push(address)
      setShown((known) => new Map(known).set(url, address))
    }
    void fetchPictures({ mailboxId, messageId }, urls, onPicture, stop.signal)
    return () => {
      stop.abort()
      for (const address of made) URL.revokeObjectURL(address)
    }
  }, [mailboxId, messageId, urls])
  return { shown, missing }
}

const AT_ONCE = 6

export type Place = { mailboxId: string; messageId: string }

/**
 * Fetches the pictures that a message loads from elsewhere, by our server (decision 026).
 * Calls `onPicture` for each as it comes; null for one that is not to be had. Ends early when aborted.
 */
export async function fetchPictures(
  { mailboxId, messageId }: Place,
  urls: readonly string[],
  onPicture: (url: string, blob: Blob | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const message = `/mailboxes/${encodeURIComponent(mailboxId)}/messages/${encodeURIComponent(messageId)}`
  const waiting = [...urls]
  const fetchSome = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const path = `${message}/picture?url=${encodeURIComponent(url)}`
      const blob = await open(path, { signal })
        .then((response) => response.blob())
        .catch(() => null)
      if (signal.aborted) return
      onPicture(url, blob)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome))
}
