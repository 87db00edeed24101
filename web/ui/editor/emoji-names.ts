import { Extension, InputRule } from '@tiptap/core'
import { emojiNamed } from './emoji-list.ts'

/** `:smile:` becomes the emoji of that name; Backspace right after it brings the name back. */
export const EmojiNames = Extension.create({
  name: 'emojiNames',
  addInputRules() {
    return [
      new InputRule({
        find: /(?:^|\s)(:[a-z+-][a-z0-9_]*:)$/,
        handler: ({ state, range, match }) => {
          const [, typed = ''] = match
          const sign = emojiNamed(typed.slice(1, -1))
          if (sign === undefined) return null
          const before = match[0].length - typed.length
          state.tr.insertText(sign, range.from + before, range.to)
        },
      }),
    ]
  },
})
