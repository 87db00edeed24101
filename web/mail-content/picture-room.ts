/** Room for the pictures of a mail before they have come, so that the text below stays where it is (decision 084). */
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { Message } from '#contract/messages.ts'

export type PictureSize = { width: number; height: number }

/** The sizes of the pictures that came with a message, by Content-ID. */
export const sizesOf = (message: Message): ReadonlyMap<string, PictureSize> =>
  new Map(
    message.attachments.flatMap(({ contentId, width, height }) =>
      contentId !== null && width !== null && height !== null
        ? [[contentId, { width, height }] as const]
        : [],
    ),
  )

/** Base64 characters of a picture in a URL that are read. */
const MAX_READ = 100_000

/** Of a picture that is all in its URL; null when its beginning does not say. */
export function sizeOfData(url: string): PictureSize | null {
  const start = url.slice(url.indexOf(',') + 1, MAX_READ).replace(/\s+/g, '')
  try {
    const text = atob(start.slice(0, start.length - (start.length % 4)))
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    const format = [PNG, JPG, GIF, WEBP].find(({ validate }) => validate(bytes))
    if (format === JPG && !leadsToFrame(bytes)) return null
    const { width = 0, height = 0, orientation = 1 } = format?.calculate(bytes) ?? {}
    if (!(width > 0 && height > 0)) return null
    // Turned by a quarter, as browsers show it.
    return orientation >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return null
  }
}

/** Of a JPEG before the one with its size; cameras write a dozen. */
const MAX_PARTS = 500

/** As the server does: where the parts of a JPEG do not lead to the one with its size, the library would try every byte. */
function leadsToFrame(bytes: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(bytes.buffer)
  let at = 2
  for (let part = 0; part < MAX_PARTS; part++) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xc2) return true
    at += 2 + view.getUint16(at + 2)
  }
  return false
}

/** One pixel that is not seen. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Says how large the picture will be, where the mail does not: it has its room before its bytes are there. */
export function giveSize(image: HTMLImageElement, { width, height }: PictureSize): void {
  image.style.aspectRatio = `auto ${width} / ${height}`
  if (!names(image, 'width') && !names(image, 'height')) image.setAttribute('width', `${width}`)
}

/** In place of a picture that is on its way. Without `size`: what the mail says of it. */
export function keepRoom(image: HTMLImageElement, size: PictureSize | undefined): void {
  const sides = (['width', 'height'] as const).map((side) =>
    Number.parseInt(image.style[side] || image.getAttribute(side) || '', 10),
  )
  const [width = 0, height = 0] = sides
  if (size) giveSize(image, size)
  image.setAttribute('src', NOTHING)
  const isKnown = size !== undefined || (width > 0 && height > 0)
  const ratio = size ?? { width, height }
  // Not 'auto': that is the shape of what is not seen.
  if (isKnown) image.style.aspectRatio = `${ratio.width} / ${ratio.height}`
  else image.style.height = '0'
}

const names = (image: HTMLImageElement, side: 'width' | 'height'): boolean =>
  image.style[side] !== '' || image.hasAttribute(side)
