/** News of what a verb for many rows changes waits until it ends: each row announces itself, and the lists are read again once. */
import { isAbout, type Subject, type Topic } from '#contract/subjects.ts'

type Verb = { changes: readonly Subject[]; waiting: (() => void)[] }

const running = new Set<Verb>()

/** `changes`: of the route. Returns what lets the news go on, and tells what has waited. */
export const holdNews = (changes: readonly Subject[]): (() => void) => {
  const verb: Verb = { changes, waiting: [] }
  running.add(verb)
  return () => {
    running.delete(verb)
    for (const tell of verb.waiting) tell()
  }
}

/** At once, unless such a verb changes what the news is about. */
export const whenNewsGoOn = (topic: Topic, tell: () => void): void => {
  const verb = [...running].find(({ changes }) => isAbout(changes, topic))
  if (verb) verb.waiting.push(() => whenNewsGoOn(topic, tell))
  else tell()
}
