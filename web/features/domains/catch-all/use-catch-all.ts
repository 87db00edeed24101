import type { Domain } from '#contract/domains.ts'
import { removeCatchAll, setCatchAll } from '#contract/mail/aliases.ts'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { toast } from '#web/lib/toast-store.ts'

/** As many as can be looked through; the others are found by typing. */
const SHOWN = 50

/** The mailboxes that the typed text is part of, by address or name. `hasNone`: the workspace has none at all. */
export function useFoundMailboxes(typed: string) {
  const q = useDebounced(typed.trim())
  const query = { limit: SHOWN, ...(q === '' ? {} : { q }) }
  const found = useApi(listMailboxes, { query }, { placeholderData: (before) => before })
  const isWhole = q === '' && !found.isPlaceholderData
  return { ...found, hasNone: isWhole && found.data?.items.length === 0 }
}

export const labelOf = ({ email, fullName }: Pick<Mailbox, 'email' | 'fullName'>): string =>
  `${email} (${fullName})`

export function useChangeCatchAll(domain: Domain, onDone: () => void) {
  const done = (title: string, description: string) => () => {
    onDone()
    toast({ title, description, variant: 'success' })
  }
  const { unicodeName: name } = domain
  return {
    set: useCall(setCatchAll, {
      onSuccess: ({ catchAll }) =>
        done(
          'Catch-all set',
          `${catchAll?.email} now gets mail for unknown addresses of ${name}.`,
        )(),
    }),
    remove: useCall(removeCatchAll, {
      onSuccess: done('Catch-all removed', `Mail for unknown addresses of ${name} is refused.`),
    }),
  }
}
