/** Remote pictures of a mail: a placeholder stands for each until the reader asks for them. */

export type RemotePicture = {
  /** The URL in the mail. */
  url: string
  /** The placeholder that is in the mail now. */
  placeholder: HTMLElement
  /** Without `src`; replaces the placeholder. */
  image: HTMLImageElement
}

/** The inline images of a message while they are on their way. */
export const AWAITED: ReadonlyMap<string, string> = new Map()

export const isRemote = (src: string): boolean => /^(?:https?:)?\/\//i.test(src)

/** Smaller pictures are tracking pixels or spacers: they are never loaded, and only an empty box of their size stays. */
const MIN_VISIBLE_PX = 12

/** NaN for a side that is not given. */
const sidesOf = (image: HTMLImageElement): [width: number, height: number] => {
  const [width = Number.NaN, height = Number.NaN] = (['width', 'height'] as const).map((side) =>
    Number.parseInt(image.style[side] || image.getAttribute(side) || '', 10),
  )
  return [width, height]
}

/** Keeps the room of a picture that is on its way, when its size is known: the text below does not jump. */
export function keepRoomOf(image: HTMLImageElement): void {
  const [width, height] = sidesOf(image)
  const room = image.ownerDocument.createElement('span')
  room.className = 'room'
  const isKnown = width > 0 && height > 0
  if (isKnown) room.setAttribute('style', `width: ${width}px; aspect-ratio: ${width} / ${height}`)
  image.replaceWith(room)
}

/** Replaces the picture by a placeholder. Returns null for a picture too small to be seen. */
export function replaceRemotePicture(image: HTMLImageElement): RemotePicture | null {
  const url = addressOf(image)
  const sides = sidesOf(image)
  const isVisible = !sides.some((px) => px < MIN_VISIBLE_PX)
  const placeholder = isVisible ? placeholderOf(image, sides) : spacerOf(image, sides)
  image.replaceWith(placeholder)
  image.removeAttribute('src')
  return isVisible ? { url, placeholder, image } : null
}

/** The URL without the characters that browsers ignore in it. */
const addressOf = (image: HTMLElement): string =>
  (image.getAttribute('src') ?? '').replace(/[\t\r\n]/g, '').trim()

function placeholderOf(image: HTMLElement, [width, height]: [number, number]): HTMLElement {
  const placeholder = image.ownerDocument.createElement('span')
  placeholder.className = 'remote-image'
  placeholder.textContent = image.getAttribute('alt')?.trim() || 'Image'
  setSize(placeholder, { width: Math.min(width, 600), 'min-height': Math.min(height, 600) })
  return placeholder
}

function spacerOf(image: HTMLElement, [width, height]: [number, number]): HTMLElement {
  const spacer = image.ownerDocument.createElement('span')
  spacer.className = 'room'
  setSize(spacer, { width: Math.min(width, 600), height: Math.min(height, 600) })
  return spacer
}

const setSize = (element: HTMLElement, sides: Record<string, number>): void => {
  const known = Object.entries(sides).filter(([, px]) => px >= 0)
  if (known.length > 0)
    element.setAttribute('style', known.map(([side, px]) => `${side}: ${px}px`).join('; '))
}
