/** How high the rows of a list of mail are; kept in this browser. */
import { createStore } from './store.ts'

const KEY = 'mailstead-density'
export type Density = 'roomy' | 'compact'

const store = createStore()

const readDensity = (): Density => (localStorage.getItem(KEY) === 'compact' ? 'compact' : 'roomy')

export function chooseDensity(density: Density): void {
  localStorage.setItem(KEY, density)
  store.changed()
}

/** The server knows no choice: it draws roomy rows. */
export const useDensity = (): Density => store.use(readDensity, () => 'roomy')
