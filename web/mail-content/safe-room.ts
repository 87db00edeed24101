/**
 * The window of an empty mail frame: no scripts, no network, styles allowed. Mails are parsed in it, since
 * a parser obeys the policy of its window, and the policy of our own pages knows no inline style.
 */

export type Room = Window & typeof globalThis

export const FRAME_PATH = '/mail-frame'
export const FRAME_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
/** Printing is a dialog. Without scripts nobody but our page opens one. */
export const PRINT_SANDBOX = 'allow-same-origin allow-modals'

/** null when something else than the frame's own document was loaded: that has no policy. */
export const roomOf = (frame: HTMLIFrameElement): Room | null => {
  const room = frame.contentWindow as Room | null
  return frame.contentDocument?.location.pathname === FRAME_PATH ? room : null
}

let waiting: Promise<Room> | null = null

/** A hidden one, for what is not shown in a frame: quotations, drafts, signatures. */
export function openRoom(): Promise<Room> {
  waiting ??= new Promise<Room>((resolve, reject) => {
    const frame = document.createElement('iframe')
    frame.src = FRAME_PATH
    frame.hidden = true
    frame.tabIndex = -1
    frame.setAttribute('sandbox', FRAME_SANDBOX)
    frame.addEventListener('load', () => {
      const room = roomOf(frame)
      if (room) return resolve(room)
      frame.remove()
      waiting = null
      reject(new Error('the mail frame could not be loaded'))
    })
    document.body.append(frame)
  })
  return waiting
}
