/** Uploads a file in pieces, and continues by itself after a lost connection. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  IMPORT_PIECE_BYTES,
  listImports,
  type MailImport,
  startImport,
  uploadPiece,
} from '#contract/mail/transfer.ts'
import { call, open } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { type Passing, passing } from '#web/lib/api/passing.ts'
import { keyOf, readAgain } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { createBackoff } from '#web/lib/time/backoff.ts'

export type Upload = {
  isSending: boolean
  /** Why the last piece is repeated; null while there is no problem. */
  waitsFor: Passing['why'] | null
  refusal: string
  send: (file: File, folder: { folder?: string }) => void
  stop: () => void
}

export function useUpload(mailboxId: string): Upload {
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [waitsFor, setWaitsFor] = useState<Upload['waitsFor']>(null)
  const [refusal, setRefusal] = useState('')
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const params = { id: mailboxId }
  const show = (state: MailImport) =>
    client.setQueryData<MailImport[]>(keyOf(listImports, { params }), (known = []) => [
      state,
      ...known.filter(({ _id }) => _id !== state._id),
    ])

  const sendAll = async (file: File, folder: { folder?: string }, signal: AbortSignal) => {
    const body = { filename: file.name, fingerprint: fingerprintOf(file), size: file.size }
    const begin = () => call(startImport, { params, body: { ...body, ...folder } }, { signal })
    let state = await untilAnswered(begin, signal, setWaitsFor)
    for (show(state); state.state === 'uploading' && !signal.aborted; show(state)) {
      const { _id: importId, received } = state
      const piece = file.slice(received, received + IMPORT_PIECE_BYTES, 'application/octet-stream')
      const path = addressOf(uploadPiece, { params: { ...params, importId, start: received } })
      state = await untilAnswered(
        async () => (await open(path, { method: 'PUT', body: piece, signal })).json(),
        signal,
        setWaitsFor,
      )
    }
  }

  const send = (file: File, folder: { folder?: string }) => {
    const controller = new AbortController()
    stopping.current = controller
    setSending(true)
    setRefusal('')
    sendAll(file, folder, controller.signal)
      .catch(async (error: unknown) => {
        // Reloads before it shows the error: the user may choose another file then, so the refused one must be gone.
        await readAgain(client, startImport)
        if (!controller.signal.aborted) setRefusal(refusalOf(error))
      })
      .finally(() => {
        setSending(false)
        setWaitsFor(null)
      })
  }
  return { isSending, waitsFor, refusal, send, stop: () => stopping.current?.abort() }
}

/**
 * The state and results of an import, in words.
 * true: the import progresses by itself.
 */
export const isGoingOn = (latest: MailImport | undefined): boolean =>
  latest?.state === 'running' || latest?.state === 'uploading'

export const isOpen = (latest: MailImport | undefined): boolean =>
  isGoingOn(latest) || latest?.state === 'stopped'

type Counts = Pick<MailImport, 'filed' | 'skipped' | 'failed'>

export const resultWords = ({ filed, skipped, failed }: Counts): string => {
  const imported = `${formatCount(filed)} ${filed === 1 ? 'message' : 'messages'} imported`
  const here = `${formatCount(skipped)} ${skipped === 1 ? 'was' : 'were'} here already or deleted in the file`
  const broken = `${formatCount(failed)} could not be imported`
  return `${[imported, skipped > 0 && here, failed > 0 && broken].filter(Boolean).join(', ')}.`
}

/** Files with the same name, size and modification time count as the same. */
export const fingerprintOf = (file: File): string => String(file.lastModified)

export const isSameFile = (file: File, { filename, size, fingerprint }: MailImport): boolean =>
  file.name === filename && file.size === size && fingerprintOf(file) === fingerprint

const refusalOf = (error: unknown): string =>
  error instanceof ApiError && typeof error.data.file === 'string'
    ? error.data.file
    : messageOf(error)

/** Repeats a request while the error is temporary, not sooner than the server allows. */
const untilAnswered = async <T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  onWait: (waitsFor: Upload['waitsFor']) => void,
): Promise<T> => {
  const backoff = createBackoff({ firstMs: 1_000, longestMs: 15_000 })
  while (true) {
    try {
      const answer = await ask()
      onWait(null)
      return answer
    } catch (error) {
      const trouble = passing(error)
      if (signal.aborted || trouble === null) throw error
      onWait(trouble.why)
      await backoff.wait(signal, trouble.afterSeconds)
    }
  }
}
