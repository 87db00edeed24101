/** Saves as a file. The type says nothing, so that no browser is tempted to show it. */
export function saveAs(content: Blob, filename: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The download has read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
