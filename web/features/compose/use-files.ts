/** The files and pictures of a message, and their upload. */
import { useEffect, useState } from 'react'
import { copyAttachments, type Upload, uploadFile } from '#contract/mail/writing.ts'
import { call } from '#web/lib/api/api.ts'
import { callWithProgress } from '#web/lib/api/call-with-progress.ts'
import { typeRefusal } from '#web/ui/editor/local-images.ts'
import { base64Of, safeContentType, safeFilename, whyTooMuch } from './attached-files.ts'
import type { ComposeStart, FileCopies } from './compose-start.ts'
import { newUuid } from './local-copies.ts'
import { createUploadShelf, type UploadShelf } from './upload-shelf.ts'
import type { ComposeValues, useComposeFields } from './use-compose-fields.ts'

type Fields = ReturnType<typeof useComposeFields>

export function useFiles(mailboxId: string, start: ComposeStart, fields: Fields) {
  const { values, change } = fields
  const [shelf] = useState(() => shelfOf(mailboxId, start))
  const [fileRefusal, setRefusal] = useState<string>()
  const [pictureRefusal, setPictureRefusal] = useState<string>()
  // Object URLs of pictures stay valid as long as the text that shows them.
  useEffect(
    () => () => {
      for (const [key] of shelf.blobs()) if (key.startsWith('blob:')) URL.revokeObjectURL(key)
    },
    [shelf],
  )
  const pictures = () =>
    shelf.blobs().filter(([key]) => key.startsWith('blob:') && values.body.includes(key))
  const sizes = () => [...values.attachments, ...pictures().map(([, { size }]) => ({ size }))]

  const addFiles = (chosen: readonly File[]) => {
    const reason = whyTooMuch(sizes(), chosen)
    setRefusal(reason ?? undefined)
    if (reason !== null || chosen.length === 0) return
    const added = chosen.map((file) => {
      const key = newUuid()
      shelf.put(key, file, file.name)
      return { key, filename: file.name || 'file', size: file.size }
    })
    change({ attachments: [...values.attachments, ...added] })
  }
  const removeFile = (key: string) => {
    shelf.drop(key)
    setRefusal(undefined)
    change({ attachments: values.attachments.filter((file) => file.key !== key) })
  }
  /** Returns the URL of the picture, or null when it is refused. */
  const addPicture = (file: File): string | null => {
    const reason = typeRefusal(file) ?? whyTooMuch(sizes(), [file]) ?? undefined
    setPictureRefusal(reason)
    if (reason !== undefined) return null
    const address = URL.createObjectURL(file)
    shelf.put(address, file, file.name || 'picture')
    return address
  }
  return { shelf, fileRefusal, pictureRefusal, addFiles, removeFile, addPicture }
}

/** A shelf with the files that the server has and those from the copy in this browser. */
function shelfOf(mailboxId: string, start: ComposeStart): UploadShelf {
  const { known, copies, localCopy } = start
  const shelf = createUploadShelf(uploadsTo(mailboxId))
  const ids = new Map(known)
  for (const [key, id] of ids) shelf.markUploaded(key, id)
  for (const [key, blob] of localCopy?.pictures ?? [])
    shelf.put(key, blob, nameOf(localCopy?.values, key), ids.get(key))
  const copyOf = copies && copiesTo(mailboxId, copies)
  const isAttached = (key: string) =>
    (localCopy?.values ?? start).attachments.some((file) => file.key === key)
  for (const [key, n] of copies?.parts ?? [])
    if (copyOf && !ids.has(key) && isAttached(key)) shelf.putCopy(key, () => copyOf(n))
  return shelf
}

/** Asks the server once to copy all files, and again only after that failed. */
function copiesTo(mailboxId: string, copies: FileCopies): (n: number) => Promise<string> {
  const parts = copies.parts.map(([, n]) => n)
  const body = { messageId: copies.messageId, parts }
  let asked: Promise<readonly Upload[]> | null = null
  return async (n) => {
    asked ??= call(copyAttachments, { params: { id: mailboxId }, body }).catch((error: unknown) => {
      asked = null
      throw error
    })
    const copied = (await asked)[parts.indexOf(n)]
    if (!copied) throw new Error('this file is gone')
    return copied._id
  }
}

/** Returns a function that uploads a file for messages of this mailbox and returns its `_id`. */
export const uploadsTo =
  (mailboxId: string) =>
  async (
    blob: Blob,
    name: string,
    options: { signal: AbortSignal; onProgress: (part: number) => void },
  ): Promise<string> => {
    const content = await base64Of(blob)
    const body = { filename: safeFilename(name), contentType: safeContentType(blob.type), content }
    return (await callWithProgress(uploadFile, { params: { id: mailboxId }, body }, options))._id
  }

const nameOf = (values: ComposeValues | undefined, key: string): string =>
  values?.attachments.find((file) => file.key === key)?.filename ?? 'picture'
