/** Whether the remote pictures of a message are shown, and those that have loaded. */
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
  /** Object URLs, by the URL in the message. */
  loaded: ReadonlyMap<string, string>
  /** `none`: the message has none. `asking`: the reader's choice is still loading. */
  state: 'none' | 'asking' | 'hidden' | 'loading' | 'shown'
  missing: number
  /** The sender whose pictures may always be shown; null when that is not offered. */
  sender: string | null
  isAlways: boolean
  show: () => void
  showAlways: () => void
  stopAlways: () => void
  /** Called with the picture URLs that the frame found in the message. */
  onFound: (urls: readonly string[]) => void
}

const noPictures: ReadonlyMap<string, string> = new Map()
/** More than any honest newsletter has; further pictures are not loaded. */
const MAX_PICTURES = 400

export function usePictures(mailboxId: string, message: Message): Pictures {
  const [urls, setUrls] = useState<readonly string[]>([])
  const [isRequested, setIsRequested] = useState(false)
  const onFound = useCallback((all: readonly string[]) => {
    const found = all.slice(0, MAX_PICTURES)
    setUrls((known) => (known.join('\n') === found.join('\n') ? known : found))
  }, [])
  const consent = useConsent(mailboxId, message, urls.length > 0)
  const isWanted = urls.length > 0 && (isRequested || consent.savedSender !== undefined)
  const { loaded, missing } = useFetchedPictures(mailboxId, message._id, isWanted ? urls : noUrls)
  const waitState = consent.isPending ? 'asking' : 'hidden'
  const loadState = loaded.size + missing < urls.length ? 'loading' : 'shown'
  return {
    ...{ loaded, missing, onFound },
    state: urls.length === 0 ? 'none' : isWanted ? loadState : waitState,
    sender: consent.sender,
    isAlways: consent.savedSender !== undefined,
    show: () => setIsRequested(true),
    showAlways: () => {
      setIsRequested(true)
      consent.save()
    },
    stopAlways: () => {
      setIsRequested(false)
      consent.forget()
    },
  }
}

const noUrls: readonly string[] = []

/** A From address alone can be forged: consent counts only for a sender whom the checks verified. */
function useConsent(mailboxId: string, message: Message, isNeeded: boolean) {
  const client = useQueryClient()
  const params = { id: mailboxId }
  const isTrusted = isSenderProven(message.authentication) && message.folder !== 'junk'
  const sender = isTrusted ? (message.from?.address.toLowerCase() ?? null) : null
  const isNeededForSender = isNeeded && sender !== null
  const senders = useApi(
    listPictureSenders,
    { params },
    { enabled: isNeededForSender, staleTime: 60_000 },
  )
  const edit = (change: (senders: PictureSender[]) => PictureSender[]) =>
    client.setQueryData<PictureSender[]>(keyOf(listPictureSenders, { params }), (known = []) =>
      change(known),
    )
  const add = useCall(addPictureSender, {
    onSuccess: (added) => edit((known) => [...known.filter(({ _id }) => _id !== added._id), added]),
    onError: (error) =>
      toast({
        title: 'The sender could not be saved',
        description: error.message,
        variant: 'error',
      }),
  })
  const remove = useCall(removePictureSender, {
    onError: (error) =>
      toast({
        title: 'The sender could not be removed',
        description: error.message,
        variant: 'error',
      }),
  })
  const savedSender = sender ? senders.data?.find(({ address }) => address === sender) : undefined
  return {
    ...{ sender, savedSender },
    isPending: isNeededForSender && senders.isPending,
    save: () => add.mutate({ params, body: { messageId: message._id } }),
    forget: () => {
      if (!savedSender) return
      edit((known) => known.filter(({ _id }) => _id !== savedSender._id))
      remove.mutate({ params: { ...params, senderId: savedSender._id } })
    },
  }
}

/** Object URLs of the fetched pictures, revoked when the message closes. */
function useFetchedPictures(mailboxId: string, messageId: string, urls: readonly string[]) {
  const [loaded, setLoaded] = useState(noPictures)
  const [missing, setMissing] = useState(0)
  useEffect(() => {
    setLoaded(noPictures)
    setMissing(0)
    if (urls.length === 0) return
    const stop = new AbortController()
    const objectUrls: string[] = []
    const onPicture = (url: string, blob: Blob | null) => {
      if (blob === null) return setMissing((count) => count + 1)
      const address = URL.createObjectURL(blob)
      objectUrls.push(address)
      setLoaded((known) => new Map(known).set(url, address))
    }
    void fetchPictures({ mailboxId, messageId }, urls, onPicture, stop.signal)
    return () => {
      stop.abort()
      for (const address of objectUrls) URL.revokeObjectURL(address)
    }
  }, [mailboxId, messageId, urls])
  return { loaded, missing }
}

const AT_ONCE = 6

export type Place = { mailboxId: string; messageId: string }

/**
 * Fetches the remote pictures of a message through our server (decision 026).
 * Calls `onPicture` for each one as it arrives, with null when it could not be loaded. Stops early when aborted.
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
