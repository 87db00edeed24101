/** What its reader does in the frame of a mail: where a link leads, letters to be written, keys. */
import { destinationOf } from '../../safe-html/safe-link.ts'

export type Followed = {
  /** '' when there is no link under the pointer any more. */
  onLink: (to: string) => void
  /** A mailto: link was followed. */
  onWrite: (mailto: string) => void
}

const linkOf = ({ target }: Event): Element | null =>
  (target as Element | null)?.closest?.('a[href]') ?? null

export function followFrame(paper: Document, { onLink, onWrite }: Followed): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const look = (event: Event) => {
    const link = linkOf(event)
    onLink(link ? destinationOf(link.getAttribute('href') ?? '') : '')
  }
  for (const type of ['mouseover', 'focusin']) paper.addEventListener(type, look, { signal })
  for (const type of ['mouseleave', 'focusout'])
    paper.addEventListener(type, () => onLink(''), { signal })
  for (const type of ['click', 'auxclick'])
    paper.addEventListener(
      type,
      (event) => {
        const href = linkOf(event)?.getAttribute('href') ?? ''
        if (!href.startsWith('mailto:')) return
        event.preventDefault()
        onWrite(href)
      },
      { signal },
    )
  paper.addEventListener(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      const copy = new KeyboardEvent('keydown', {
        ...{ key, ctrlKey, metaKey, altKey, shiftKey },
        cancelable: true,
      })
      if (!dispatchEvent(copy)) event.preventDefault()
    },
    { signal },
  )
  return () => {
    stop.abort()
    onLink('')
  }
}
