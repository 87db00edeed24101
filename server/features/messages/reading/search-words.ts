/** What people type, as to_tsquery takes it: every word must occur, each as the start of a word; "quoted words" in a row. */
export const searchWords = (typed: string): string =>
  [...typed.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, phrase, word]) => ({ text: phrase ?? word ?? '', isPhrase: phrase !== undefined }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ text, isPhrase }) => `'${quoted(text)}'${isPhrase ? '' : ':*'}`)
    .join(' & ')

const quoted = (text: string): string =>
  text.replaceAll('\0', '').replaceAll('\\', ' ').replaceAll("'", ' ')
