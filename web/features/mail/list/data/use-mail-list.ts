import { useEffect, useRef } from 'react'
import type { MailList } from './mail-row.ts'
import { useConversations } from './use-conversations.ts'
import { useFound } from './use-found.ts'

/** The folder, or what a search finds in it or everywhere. A search that is on its way leaves what was there before. */
export function useMailList(
  mailboxId: string,
  folder: string,
  q: string,
  isInFolder: boolean,
): MailList {
  const conversations = useConversations(mailboxId, folder, true)
  const found = useFound(mailboxId, q, isInFolder ? folder : undefined)
  const list = q === '' ? conversations : found
  const last = useRef<{ list: MailList; folder: string } | null>(null)
  useEffect(() => {
    if (!list.isPending) last.current = { list, folder }
  })
  const before = last.current
  if (list.isPending && q !== '' && before?.folder === folder && !before.list.error)
    return { ...before.list, isOld: true }
  return list
}
