/** What each kind of editor knows. A signature has what the specification names; a message has more. */
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { StarterKit, type StarterKitOptions } from '@tiptap/starter-kit'
import { EmojiNames } from './emoji-names.ts'
import { textLook } from './text-look-marks.ts'

/** In the initial HTML `align` replaces the style: the Content-Security-Policy lets no parser read inline styles. */
const TextAlignByAttribute = TextAlign.extend({
  addGlobalAttributes() {
    return (this.parent?.() ?? []).map((group) => ({
      ...group,
      attributes: {
        textAlign: {
          ...group.attributes.textAlign,
          parseHTML: (element: HTMLElement) =>
            element.getAttribute('align') || element.style.textAlign || null,
        },
      },
    }))
  },
})

const link = { openOnClick: false, autolink: true, defaultProtocol: 'https' }
const image = Image.configure({ allowBase64: true, inline: true })
const plain: Partial<StarterKitOptions> = {
  ...({ code: false, codeBlock: false, horizontalRule: false } as const),
}
const lists: Partial<StarterKitOptions> = {
  ...({ heading: false, blockquote: false, bulletList: false, orderedList: false } as const),
  ...({ listItem: false, listKeymap: false } as const),
}

export const extensionsOf = {
  signature: [
    StarterKit.configure({ ...plain, ...lists, link }),
    TextAlignByAttribute.configure({ types: ['paragraph'], alignments: ['left', 'center'] }),
    image,
  ],
  message: [
    StarterKit.configure({ ...plain, link }),
    TextAlignByAttribute.configure({
      ...{ types: ['paragraph', 'heading'], alignments: ['left', 'center', 'right'] },
    }),
    image,
    TableKit,
    ...textLook,
    EmojiNames,
  ],
}
