import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * For `onFocus` of a table: when the row with the focus leaves, because it was deleted, the focus goes on to the row that
 * comes in its place, and at the end of the list to the one before it. Without rows the table itself has it.
 */
export function useKeptPlace(
  table: RefObject<HTMLElement | null>,
  rows: unknown,
): (event: FocusEvent) => void {
  const last = useRef<{ control: Element; row: number } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when there are other rows
  useLayoutEffect(() => {
    const left = last.current
    if (!left || left.control.isConnected || document.activeElement !== document.body) return
    last.current = null
    const lines = table.current?.querySelectorAll('tbody tr:not([aria-hidden])') ?? []
    const line = lines[Math.min(left.row, lines.length - 1)]
    const next = [...(line?.querySelectorAll<HTMLElement>('a[href], button') ?? [])].at(-1)
    ;(next ?? table.current)?.focus({ preventScroll: next === undefined })
  }, [rows])
  return ({ currentTarget, target }) => {
    // What is focused in a menu or a dialog of a row bubbles to here too.
    if (!currentTarget.contains(target)) return
    const line = target.closest('tbody tr')
    const lines = [...currentTarget.querySelectorAll('tbody tr:not([aria-hidden])')]
    last.current = line ? { control: target, row: lines.indexOf(line) } : null
  }
}
