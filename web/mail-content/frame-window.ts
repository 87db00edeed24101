/**
 * The window of an empty mail frame: no scripts, no network, inline styles allowed. Mails are parsed in it, because
 * a parser applies the policy of its window, and the policy of our own pages forbids inline styles.
 */

export type FrameWindow = Window & typeof globalThis

export const FRAME_PATH = '/mail-frame'
export const FRAME_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
/** The print dialog needs allow-modals. Without scripts in the frame only our page can open a dialog. */
export const PRINT_SANDBOX = 'allow-same-origin allow-modals'

/** Returns null when another document than the frame's own was loaded: that one has no such policy. */
export const frameWindowOf = (frame: HTMLIFrameElement): FrameWindow | null => {
  const frameWindow = frame.contentWindow as FrameWindow | null
  return frame.contentDocument?.location.pathname === FRAME_PATH ? frameWindow : null
}

let waiting: Promise<FrameWindow> | null = null

/** A hidden frame, to parse what no visible frame shows: quotations, drafts, signatures. */
export function openFrameWindow(): Promise<FrameWindow> {
  waiting ??= new Promise<FrameWindow>((resolve, reject) => {
    const frame = document.createElement('iframe')
    frame.src = FRAME_PATH
    frame.hidden = true
    frame.tabIndex = -1
    frame.setAttribute('sandbox', FRAME_SANDBOX)
    frame.addEventListener('load', () => {
      const frameWindow = frameWindowOf(frame)
      if (frameWindow) return resolve(frameWindow)
      frame.remove()
      waiting = null
      reject(new Error('the mail frame could not be loaded'))
    })
    document.body.append(frame)
  })
  return waiting
}
