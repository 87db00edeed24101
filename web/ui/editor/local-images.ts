/** Pictures put into an editor: shown at once from this device, and embedded in the text when it is saved. */

import { formatBytes } from '#web/lib/format.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const NO_IMAGE = 'Please choose a PNG, JPEG, GIF or WebP image'

/** The error for a file that is no accepted picture; null: it is one. */
export const typeRefusal = (file: File): string | null =>
  IMAGE_TYPES.includes(file.type) ? null : NO_IMAGE

/** The error for a picture; null: accepted. `of`: the text, such as 'a signature'; `bytesThere`: bytes of its pictures so far. */
export function imageRefusal(file: File, of: string, bytesThere: number, maxBytes: number) {
  const bytes = bytesThere + file.size
  const tooLarge = `Too large: the images of ${of} may have at most ${formatBytes(maxBytes)} in all (${formatBytes(bytes)} with ${file.name}).`
  return typeRefusal(file) ?? (bytes > maxBytes ? tooLarge : null)
}

export type LocalImages = {
  /** Returns the URL of the picture, valid until `release`. */
  add(file: File): string
  /** Bytes of all pictures that this text shows. */
  bytesIn(html: string): number
  /** Returns the text with its pictures as data: URLs. */
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
  // In chunks: a function call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return `data:${file.type};base64,${btoa(binary)}`
}
