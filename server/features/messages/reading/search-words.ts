/** What people type, as to_tsquery takes it: every word must occur, each as the start of a word. */
export const searchWords = (typed: string): string =>
  typed
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `'${word.replace(/[\0\\'"]/g, ' ')}':*`)
    .join(' & ')
