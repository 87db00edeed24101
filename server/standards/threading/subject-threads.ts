/** THREAD=ORDEREDSUBJECT (RFC 5256 §3): by subject, the oldest message first and all others answers to it. */
import { baseSubjectOf } from './base-subject.ts'
import type { MessageToThread, Thread } from './thread.ts'

export const subjectThreads = (messages: readonly MessageToThread[]): Thread[] => {
  const ordered = messages.toSorted((a, b) => a.sentAt - b.sentAt || a.uid - b.uid)
  const groups = Map.groupBy(ordered, ({ subject }) => baseSubjectOf(subject).base.toUpperCase())
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ uid: first.uid, answers: others.map(({ uid }) => ({ uid, answers: [] })) }],
  )
}
