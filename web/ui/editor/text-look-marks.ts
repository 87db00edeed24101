/** Colour and size of text: read from a style attribute by our own list, since a parser under our Content-Security-Policy reads no styles. */
import { Color } from '@tiptap/extension-text-style/color'
import { FontSize } from '@tiptap/extension-text-style/font-size'
import { TextStyle } from '@tiptap/extension-text-style/text-style'
import { lookOf } from './text-look.ts'

const lookIn = (element: HTMLElement) => lookOf(element.getAttribute('style'))

const OurTextStyle = TextStyle.extend({
  parseHTML() {
    const getAttrs = (element: HTMLElement) => {
      const { color, fontSize } = lookIn(element)
      return color === null && fontSize === null ? false : {}
    }
    return [{ tag: 'span', consuming: false, getAttrs }]
  },
})

const OurColor = Color.extend({
  addGlobalAttributes() {
    return (this.parent?.() ?? []).map((group) => ({
      ...group,
      attributes: {
        color: { ...group.attributes.color, parseHTML: (element) => lookIn(element).color },
      },
    }))
  },
})

const OurFontSize = FontSize.extend({
  addGlobalAttributes() {
    return (this.parent?.() ?? []).map((group) => ({
      ...group,
      attributes: {
        fontSize: {
          ...group.attributes.fontSize,
          parseHTML: (element) => lookIn(element).fontSize,
        },
      },
    }))
  },
})

export const textLook = [OurTextStyle, OurColor, OurFontSize]
