/** Puts the HTML of a mail, made harmless, into an empty frame. */
import { foldQuotes } from './fold-quotes.ts'
import { linkAddresses } from './link-addresses.ts'
import type { RemotePicture } from './remote-pictures.ts'
import type { Room } from './safe-room.ts'
import { frameStyle } from './safe-style.ts'
import { judgeLink, sanitiseMail } from './sanitise-mail.ts'

/** A mail that chose a colour chose it for white paper. */
const COLOURED = '[bgcolor], [background], [color], [style*=color], [style*=background], style'

export type Written = { remote: RemotePicture[]; paper: 'white' | 'dark' }

type Given = { html: string; images: ReadonlyMap<string, string>; isDark: boolean }

export function writeMail(room: Room, { html, images, isDark }: Given): Written {
  const paper = room.document
  const { fragment, remote } = sanitiseMail(html, { images, remoteImages: 'placeholder' }, room)
  linkAddresses(fragment, judgeLink)
  foldQuotes(fragment)
  const colour = isDark && fragment.querySelector(COLOURED) === null ? 'dark' : 'white'
  paper.documentElement.className = colour
  const style = paper.createElement('style')
  style.textContent = frameStyle
  paper.head.replaceChildren(style)
  // Not copied: the pictures set aside know their places.
  paper.body.replaceChildren(paper.adoptNode(fragment))
  return { remote, paper: colour }
}

/** Puts the pictures that have come, by their addresses, in the place of what stood for them. @returns whether there were any. */
export function showPictures(
  remote: readonly RemotePicture[],
  pictures: ReadonlyMap<string, string>,
): boolean {
  let isAny = false
  for (const { url, mark, image } of remote) {
    const shown = pictures.get(url)
    if (shown === undefined || !mark.isConnected) continue
    image.setAttribute('src', shown)
    mark.replaceWith(image)
    isAny = true
  }
  return isAny
}
