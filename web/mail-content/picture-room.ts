/** Room for the pictures of a mail before they have come, so that the text below stays where it is (decision 084). */
import { type PictureSize, pictureSizeOf } from '#contract/mail/picture-size.ts'
import type { Message } from '#contract/messages.ts'

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
    return pictureSizeOf(bytes)
  } catch {
    return null
  }
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
