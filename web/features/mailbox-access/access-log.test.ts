import { expect, test } from 'vitest'
import { accessKind } from '#contract/mail/access.ts'
import { sentenceFor } from './access-log.tsx'

test('every kind of entry says who did what, in a sentence of its own', () => {
  const sentences = accessKind.options.map((kind) =>
    sentenceFor({ kind, actor: 'Grace (grace@example.org)', subject: 'Ada (ada@example.org)' }),
  )
  expect(new Set(sentences).size).toBe(accessKind.options.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^Grace \(grace@example\.org\) .*\.$/)
  expect(sentences.filter((sentence) => sentence.includes('ada@example.org'))).toHaveLength(6)
})
