/** Whom one may mean by the letters typed so far, asked of the server a moment after the last. */
import { keepPreviousData } from '@tanstack/react-query'
import { suggestRecipients } from '#contract/mail/writing.ts'
import type { Person } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useDebounced } from '#web/lib/time/use-debounced.ts'
import { addressIn } from './people.ts'

const PAUSE_MS = 120
const MAX_TYPED = 100
const none: readonly Person[] = []

/** `entries`: those that stand in the field already. Without letters nobody is offered. */
export function useSuggestions(
  mailboxId: string,
  typed: string,
  entries: readonly string[],
): readonly Person[] {
  const letters = useDebounced(typed.trim().slice(0, MAX_TYPED), PAUSE_MS)
  const isAsked = letters !== '' && !/[<>"]/.test(letters)
  const found = useApi(
    suggestRecipients,
    { params: { id: mailboxId }, query: { q: letters } },
    { enabled: isAsked, placeholderData: keepPreviousData, retry: false },
  ).data
  if (!isAsked || typed.trim() === '' || !found) return none
  const known = new Set(entries.map((entry) => addressIn(entry).toLowerCase()))
  return found.filter(({ address }) => !known.has(address))
}
