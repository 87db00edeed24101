/** One a mailbox, once it was saved. */
export type VacationRepliesTable = {
  mailboxId: string
  workspaceId: string
  isOn: boolean
  /** As chosen, 'YYYY-MM-DD' in `timeZone`; '': at once, without end. */
  firstDay: string
  lastDay: string
  timeZone: string
  startsAt: Date
  endsAt: Date | null
  subject: string
  text: string
  /** A new one answers everybody anew. */
  periodId: string
  /** So many answers went out in this period. */
  answered: number
}

/** Mail that came in while a reply was on, until it is decided whether to answer it. */
export type VacationDuesTable = {
  messageId: string
  mailboxId: string
  workspaceId: string
}

/** Who was answered, and when last. */
export type VacationAnswersTable = {
  mailboxId: string
  /** Lower case, A-labels. */
  address: string
  workspaceId: string
  periodId: string
  answeredAt: Date
}
