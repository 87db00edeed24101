/** Pictures put into an editor: shown at once from this device, and part of the text when it is saved. */

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export type LocalImages = {
  /** The address to show the picture by, until `release`. */
  add(file: File): string
  /** Bytes of all pictures that this text shows. */
  bytesIn(html: string): number
  /** The same text with its pictures as data, so that it stands alone. */
  embed(html: string): Promise<string>
  release(): void
}

export function createLocalImages(): LocalImages {
  const files = new Map<string, File>()
  const shownIn = (html: string) => [...files].filter(([url]) => html.includes(url))
  return {
    add: (file) => {
      const url = URL.createObjectURL(file)
      files.set(url, file)
      return url
    },
    bytesIn: (html) => shownIn(html).reduce((sum, [, file]) => sum + file.size, 0),
    embed: async (html) => {
      let embedded = html
      for (const [url, file] of shownIn(html))
        embedded = embedded.replaceAll(url, await dataUrlOf(file))
      return embedded
    },
    release: () => {
      for (const url of files.keys()) URL.revokeObjectURL(url)
      files.clear()
    },
  }
}

async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return `data:${file.type};base64,${btoa(binary)}`
}
