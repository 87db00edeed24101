/** Pictures of a mail from elsewhere: what stands in their place until their reader wants to see them. */

export type RemotePicture = {
  /** As it stands in the mail. */
  url: string
  /** In the mail now. */
  mark: HTMLElement
  /** Without an address: to be put in the place of the mark. */
  image: HTMLImageElement
}

export const isRemote = (src: string): boolean => /^(?:https?:)?\/\//i.test(src)

/** Pictures too small to be seen are there to count readers: they are never asked for, and leave only the room they take. */
const SMALLEST_SHOWN_PX = 12

/** Takes the picture out of the mail. null: it is none that anybody would look at. */
export function setAside(image: HTMLImageElement): RemotePicture | null {
  const url = addressOf(image)
  const sides = (['width', 'height'] as const).map((side) =>
    Number.parseInt(image.style[side] || image.getAttribute(side) || '', 10),
  ) as [number, number]
  const isSeen = !sides.some((px) => px < SMALLEST_SHOWN_PX)
  const mark = isSeen ? placeholderOf(image, sides) : roomOf(image, sides)
  image.replaceWith(mark)
  image.removeAttribute('src')
  return isSeen ? { url, mark, image } : null
}

/** Without what a browser drops in an address. */
const addressOf = (image: HTMLElement): string =>
  (image.getAttribute('src') ?? '').replace(/[\t\r\n]/g, '').trim()

function placeholderOf(image: HTMLElement, [width, height]: [number, number]): HTMLElement {
  const mark = image.ownerDocument.createElement('span')
  mark.className = 'remote-image'
  mark.textContent = image.getAttribute('alt')?.trim() || 'Image'
  setSize(mark, { width: Math.min(width, 600), 'min-height': Math.min(height, 600) })
  return mark
}

function roomOf(image: HTMLElement, [width, height]: [number, number]): HTMLElement {
  const room = image.ownerDocument.createElement('span')
  room.className = 'room'
  setSize(room, { width: Math.min(width, 600), height: Math.min(height, 600) })
  return room
}

const setSize = (element: HTMLElement, sides: Record<string, number>): void => {
  const known = Object.entries(sides).filter(([, px]) => px >= 0)
  if (known.length > 0)
    element.setAttribute('style', known.map(([side, px]) => `${side}: ${px}px`).join('; '))
}
