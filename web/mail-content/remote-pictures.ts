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

/** A placeholder is no higher than this many times its width. */
const MAX_RATIO = 3

function placeholderOf(image: HTMLImageElement, [width, height]: [number, number]): HTMLElement {
  const placeholder = image.ownerDocument.createElement('span')
  placeholder.className = 'remote-image'
  placeholder.textContent = image.getAttribute('alt')?.trim() || 'Image'
  const share = /^\s*(\d+(?:\.\d+)?%)/.exec(image.style.width || image.getAttribute('width') || '')
  if (share) placeholder.style.width = share[1] ?? ''
  else if (width > 0 && height > 0 && height <= width * MAX_RATIO) {
    // As the picture will be: in a narrower place it is less high, too.
    placeholder.style.width = `${width}px`
    placeholder.style.aspectRatio = `${width} / ${height}`
  } else setSize(placeholder, { width: Math.min(width, 600), 'min-height': Math.min(height, 600) })
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
