/** What a client wants to be told of without asking, by NOTIFY (RFC 5465). */
import { DELIMITER, isSubscribed, type NamedFolder } from './named-folder.ts'
import type { EventGroup, FetchItem, NotifyEvent } from './wire/command.ts'

/** Before the first NOTIFY there is none, and the client is told of the selected mailbox when it asks, or idles. */
export type Watch = {
  groups: readonly EventGroup[]
  /** As they were when the client was last told, by their ids; null: it wants to hear of none but the selected one. */
  folders: ReadonlyMap<string, NamedFolder> | null
}

export const noEvents: ReadonlySet<NotifyEvent> = new Set()

/** Of the selected mailbox. */
export type SelectedWatch = {
  events: ReadonlySet<NotifyEvent>
  /** Told only when a command may change sequence numbers: what has left. */
  isDelayed: boolean
  /** What is fetched of new messages. */
  newItems: readonly FetchItem[]
}

export const ofSelected = ({ groups }: Watch): SelectedWatch => {
  const group = groups.find(({ of }) => of === 'SELECTED' || of === 'SELECTED-DELAYED')
  return {
    events: group?.events ?? noEvents,
    isDelayed: group?.of === 'SELECTED-DELAYED',
    newItems: group?.newItems ?? [],
  }
}

/** Of a mailbox that is not selected; the first group that says so decides (RFC 5465 §6). */
export const isWatched = (
  groups: readonly EventGroup[],
  folder: NamedFolder,
  event: NotifyEvent,
): boolean => {
  for (const group of groups) {
    if (!isIn(group, folder)) continue
    if (group.events.size === 0) return false
    if (group.events.has(event)) return true
  }
  return false
}

const isIn = ({ of, names }: EventGroup, folder: NamedFolder): boolean => {
  switch (of) {
    case 'SELECTED':
    case 'SELECTED-DELAYED':
      return false
    case 'PERSONAL':
      return true
    case 'INBOXES':
      return folder.role === 'inbox' || folder.role === 'junk'
    case 'SUBSCRIBED':
      return isSubscribed(folder)
    case 'MAILBOXES':
      return names.has(folder.path)
    case 'SUBTREE':
      return outwards(folder.path).some((path) => names.has(path))
  }
}

/** The path and those that it is inside. */
const outwards = (path: string): string[] => {
  const parts = path.split(DELIMITER)
  return parts.map((_, n) => parts.slice(0, n + 1).join(DELIMITER))
}
