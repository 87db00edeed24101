import { localDay } from './time/local-day.ts'

/** 'mailboxes-2026-11-25.csv': what a file holds, and of which day. */
export const datedName = (what: string, ending: string, now = new Date()): string =>
  `${what}-${localDay(now)}.${ending}`

/** Downloads a blob as a file. Its type is neutral, so that no browser displays it. */
export function saveAs(content: Blob, filename: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // By then the download has read the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
