/** The colours and sizes that text of a letter can have; nothing else of a style is kept. */

/**
 * Each has a contrast of at least 4.5 : 1 on white and on black alike, since a letter may be read on either. Names are those
 * that the writer reads.
 */
export const COLOURS = [
  ['Red', '#e02d27'],
  ['Orange', '#c05605'],
  ['Green', '#138744'],
  ['Blue', '#2472e0'],
  ['Purple', '#a350cc'],
  ['Grey', '#71767f'],
] as const

/** Of the size that the reader's program has, which we do not know. */
export const SIZES = [
  ['Small', '80%'],
  ['Large', '130%'],
  ['Very large', '170%'],
] as const

export type TextLook = { color: string | null; fontSize: string | null }

/** What of a style attribute is a colour or a size of ours. Browsers write the colour as rgb(). */
export function lookOf(style: string | null): TextLook {
  const look: TextLook = { color: null, fontSize: null }
  for (const declaration of (style ?? '').split(';')) {
    const [property = '', value = ''] = declaration.split(':').map((part) => part.trim())
    if (property === 'color')
      look.color = COLOURS.find(([, hex]) => isColour(value, hex))?.[1] ?? null
    if (property === 'font-size')
      look.fontSize = SIZES.find(([, size]) => size === value)?.[1] ?? null
  }
  return look
}

/** The style attribute of a look; '' when it has none. */
export const styleOf = ({ color, fontSize }: TextLook): string =>
  [color && `color: ${color}`, fontSize && `font-size: ${fontSize}`].filter(Boolean).join('; ')

const isColour = (value: string, hex: string): boolean =>
  value.toLowerCase() === hex || value.replaceAll(' ', '') === `rgb(${channelsOf(hex).join(',')})`

export const channelsOf = (hex: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
