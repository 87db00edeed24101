/** Which queries show what an event is about. */
import type { Changed } from '#contract/events.ts'

type Key = readonly unknown[]

/** Keys begin with the path of their endpoint and go on with its arguments (see api/use-api.ts). */
export function isAbout(key: Key, event: Changed): boolean {
  const path = String(key[0])
  const args = key[1] as { params?: { id?: string } } | undefined
  const isMail = path.startsWith('/mailboxes/{id}/') && !/\/(aliases|addresses)$/.test(path)
  switch (event.topic) {
    case 'domains':
      return /^\/(domains|domain-ownership|dns-records|stats)/.test(path)
    case 'mailboxes':
      return /^\/(mailboxes|access-log|domains|domain-ownership|stats)/.test(path) && !isMail
    case 'messages':
      if (path.startsWith('/stats')) return true
      return isMail && (!event.mailboxId || args?.params?.id === event.mailboxId)
    case 'invoices':
      return path.startsWith('/invoices')
    case 'workspaces':
      return /^\/(workspaces|members|invitations|company|profile)/.test(path)
  }
}
