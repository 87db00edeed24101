import { literally } from './plain-text.ts'

/** For `ilike`: the text anywhere in a value; null for nothing. */
export const patternOf = (q: string): string | null => {
  const text = q.trim()
  return text === '' ? null : `%${literally(text)}%`
}
