/** Files dragged over the mail page: wherever they are dropped they are attached, and never opened in place of the page. */
import { useEffect, useRef, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false

/** The browser repeats `dragover` while files are over the page, several times a second. */
const GONE_AFTER_MS = 1_000

/** @returns whether files are over the page. */
export function useFileDrop(attach: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(attach)
  useEffect(() => {
    latest.current = attach
  })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      setIsOver(false)
    }
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
      clearTimeout(timer)
      timer = setTimeout(end, GONE_AFTER_MS)
    }
    const drop = (event: DragEvent) => {
      end()
      if (!hasFiles(event)) return
      // The editor and the window of a letter take what falls on them.
      const isTaken = event.defaultPrevented
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (!isTaken && files.length > 0) latest.current(files)
    }
    addEventListener('dragenter', over, { signal })
    addEventListener('dragover', over, { signal })
    addEventListener('drop', drop, { signal })
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [])
  return isOver
}
