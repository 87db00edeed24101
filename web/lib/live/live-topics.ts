/** Which queries an event is about. */
import type { Query } from '@tanstack/react-query'
import type { Changed } from '#contract/events.ts'
import { isAbout } from '#contract/subjects.ts'

/** An event of one mailbox is about the queries of this mailbox, and about those of no mailbox. */
export function isOutOfDate({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>, event: Changed) {
  if (!isAbout(meta?.reads ?? [], event.topic)) return false
  const args = queryKey[1] as { params?: { id?: string } } | undefined
  return !event.mailboxId || !args?.params?.id || args.params.id === event.mailboxId
}
