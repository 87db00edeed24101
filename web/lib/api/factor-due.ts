/** Whether the server refuses this person until they have a second factor. The layouts then show how to set one up, and nothing else. */
import { createStore } from '../store.ts'
import { onSessionChange, readSession } from './session.ts'

const store = createStore()
let isDue = false

const become = (next: boolean): void => {
  if (isDue === next) return
  isDue = next
  store.changed()
}

/** Called for each answer that says so. */
export const factorIsDue = (): void => become(true)

/** The person has a factor now, or went to another workspace: the next call tells. */
export const factorIsSettled = (): void => become(false)

onSessionChange(() => {
  if (readSession().status === 'anonymous') become(false)
})

export const useFactorDue = (): boolean =>
  store.use(
    () => isDue,
    () => false,
  )
