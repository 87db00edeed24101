/** A message of a thread and what answers it. `uid` 0: one that is not among the given ones. */
export type Thread = { uid: number; answers: Thread[] }

export type MessageToThread = {
  uid: number
  /** '': it has none. */
  messageId: string
  /** Of what it answers, oldest first. */
  ancestors: readonly string[]
  subject: string
  /** Of the field Date; else of arrival. In milliseconds. */
  sentAt: number
}
