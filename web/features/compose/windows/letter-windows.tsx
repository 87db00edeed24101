/**
 * The windows of all letters. They are not modal: the writer can go on reading (decision 065). Each is drawn into an element of its own, which
 * moves between its thread and the dock with all that is typed in it.
 */
import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Mailbox } from '#contract/mailboxes.ts'
import { ComposePanel } from '../compose-panel.tsx'
import type { ComposeEnds } from '../use-compose.ts'
import type { DockWindow } from './dock.tsx'
import { dockWidth, type Letter, type LetterHandle, type LetterPlace } from './letters.ts'
import { slotLeft, useSlotFor } from './thread-slot.tsx'

type LetterWindowsProps = {
  mailbox: Mailbox
  letters: readonly Letter[]
  endsOf: (key: string) => ComposeEnds
  onOpen: (key: string, handle: LetterHandle | null) => void
  onPlace: (key: string, place: LetterPlace) => void
  /** true: files are dragged over the page. */
  isDropping: boolean
}

/** One above the other; from the width of two windows on side by side, the oldest at the right. */
const DOCK =
  'pointer-events-none fixed inset-x-0 bottom-0 z-40 flex max-h-dvh flex-col items-end sm:right-6 sm:left-auto xl:left-6 xl:flex-row-reverse xl:flex-wrap-reverse xl:items-start xl:gap-x-4'

export function LetterWindows({ letters, ...rest }: LetterWindowsProps) {
  const [dock] = useState(newElement(DOCK))
  useLayoutEffect(() => {
    document.body.append(dock)
    return () => dock.remove()
  }, [dock])
  useRoomBelow(
    dock,
    letters.every(({ place }) => place === 'minimised'),
  )
  return letters.map((letter) => (
    <LetterWindow key={letter.request.key} letter={letter} dock={dock} {...rest} />
  ))
}

const newElement = (className: string) => (): HTMLElement => {
  const element = document.createElement('div')
  element.className = className
  return element
}

/** Of the page; read by its classes. */
const BARS_HEIGHT = '--bars-height'

/** On a phone the bars of minimised letters are as wide as the page, which ends above them. */
function useRoomBelow(dock: HTMLElement, hasOnlyBars: boolean): void {
  useLayoutEffect(() => {
    if (!hasOnlyBars) return
    const { style } = document.documentElement
    const size = new ResizeObserver(() => style.setProperty(BARS_HEIGHT, `${dock.offsetHeight}px`))
    size.observe(dock)
    return () => {
      size.disconnect()
      style.removeProperty(BARS_HEIGHT)
    }
  }, [dock, hasOnlyBars])
}

/** The dock leaves the thread free in which a letter is written. */
function useBesideThread(dock: HTMLElement, slot: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (!slot) return
    const align = () => {
      const width = dockWidth(innerWidth, slotLeft())
      dock.style.right = width === innerWidth ? '' : `${innerWidth - width}px`
    }
    align()
    addEventListener('resize', align)
    return () => {
      removeEventListener('resize', align)
      dock.style.right = ''
    }
  }, [dock, slot])
}

type LetterWindowProps = Omit<LetterWindowsProps, 'letters'> & {
  letter: Letter
  dock: HTMLElement
}

function LetterWindow({ letter, dock, mailbox, ...rest }: LetterWindowProps) {
  const { request, place, isPoppedOut } = letter
  const slot = useSlotFor(isPoppedOut ? undefined : request.answers)
  const [host] = useState(newElement('contents'))
  // Before the form takes the focus.
  useLayoutEffect(() => {
    ;(slot ?? dock).append(host)
  }, [host, slot, dock])
  useLayoutEffect(() => () => host.remove(), [host])
  useBesideThread(dock, slot)
  const { key } = request
  const frame: DockWindow = {
    key,
    place: slot ? 'thread' : place,
    onPlace: (next) => rest.onPlace(key, next),
    isDropping: rest.isDropping,
  }
  return createPortal(
    <ComposePanel
      mailbox={mailbox}
      request={request}
      frame={frame}
      ends={rest.endsOf(key)}
      onOpen={rest.onOpen}
    />,
    host,
  )
}
