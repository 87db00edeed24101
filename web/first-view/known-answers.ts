/** What the API has answered already, as the queries of the app will look for it. */
import type { Answer } from '#contract/first-view.ts'
import { queryClient } from '#web/lib/api/query-client.ts'

/** The keys of `useApi`; other queries put their answers together themselves, and ask when they are shown. */
export const isAnswerKey = (key: readonly unknown[]): key is Answer['key'] =>
  key.length === 2 &&
  typeof key[0] === 'string' &&
  key[0].startsWith('/') &&
  typeof key[1] === 'object' &&
  key[1] !== null

export function knowAnswers(answers: readonly Answer[]): void {
  for (const { key, data } of answers) queryClient.setQueryData(key, data)
}
