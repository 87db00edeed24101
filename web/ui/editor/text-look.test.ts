import { expect, test } from 'vitest'
import { COLOURS, channelsOf, lookOf, SIZES, styleOf } from './text-look.ts'

/** WCAG 2.2, relative luminance. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(COLOURS)('%s is readable on white and on black', (_name, hex) => {
  expect(1.05 / (luminance(hex) + 0.05)).toBeGreaterThan(4.5)
  expect((luminance(hex) + 0.05) / 0.05).toBeGreaterThan(4.5)
})

test('what a browser writes of a look is read as that look', () => {
  for (const [, color] of COLOURS) {
    const rgb = `rgb(${channelsOf(color).join(', ')})`
    expect(lookOf(`color: ${rgb};`)).toEqual({ color, fontSize: null })
    for (const [, fontSize] of SIZES) {
      expect(lookOf(`font-size: ${fontSize}; color: ${rgb}`)).toEqual({ color, fontSize })
      expect(lookOf(styleOf({ color, fontSize }))).toEqual({ color, fontSize })
    }
  }
})

test.each([
  'color: #fefefe',
  'color: red; font-size: 400px',
  'background: url(https://x.example/a.png); color: expression(alert(1))',
  'font-size: 999%',
  'position: fixed; color: var(--x)',
  '',
])('nothing else of a style is kept: %s', (style) => {
  expect(lookOf(style)).toEqual({ color: null, fontSize: null })
})
