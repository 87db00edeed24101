import { getSchema } from '@tiptap/core'
import { Node } from '@tiptap/pm/model'
import { expect, test } from 'vitest'
import { endOfOwnText } from './click-below.ts'
import { extensionsOf } from './editor-extensions.ts'

const schema = getSchema(extensionsOf.message)
const docOf = (...lines: string[]) =>
  Node.fromJSON(schema, {
    type: 'doc',
    content: lines.map((text) => ({
      ...{ type: 'paragraph', content: text === '' ? [] : [{ type: 'text', text }] },
    })),
  })

test('the own text ends before the empty line above the signature', () => {
  const signature = docOf('Ada', 'Engine')
  const endIn = (...lines: string[]) => endOfOwnText(docOf(...lines), signature)
  expect(endIn('', '', 'Ada', 'Engine')).toBe(2)
  expect(endIn('Hello', '', 'Ada', 'Engine')).toBe(7)
  // A line that the writer began stays theirs.
  expect(endIn('Hello', '', '', 'Ada', 'Engine')).toBe(9)
  expect(endIn('Hello', 'Ada', 'Engine')).toBe(7)
  // Changed or gone, it is no ending any more.
  expect(endIn('Hello', '', 'Ada')).toBeNull()
  expect(endIn('Hello', '', 'Ada', 'Engine', 'PS')).toBeNull()
  expect(endIn('Ada', 'Engine')).toBeNull()
})
