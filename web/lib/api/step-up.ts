/** A call that the server refuses until the person has confirmed that it is them waits here; the layout shows the dialog. */
import { createStore } from '../store.ts'

const store = createStore()
let waiting: ((isConfirmed: boolean) => void)[] = []

/** Resolves when the person answered: calls that are refused at once share one question. */
export const askToConfirm = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting = [...waiting, resolve]
    store.changed()
  })

/** true while a call waits. */
export const useStepUp = (): boolean =>
  store.use(
    () => waiting.length > 0,
    () => false,
  )

export const answerStepUp = (isConfirmed: boolean): void => {
  const told = waiting
  waiting = []
  store.changed()
  for (const tell of told) tell(isConfirmed)
}
