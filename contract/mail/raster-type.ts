/** What kind of picture bytes are, by their first ones and never by what somebody calls them. */
export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'

/** null for all else, SVG above all: it is a document that can hold scripts. */
export const rasterTypeOf = (bytes: Uint8Array): RasterType | null => {
  const text = String.fromCharCode(...bytes.subarray(0, 16))
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF[\s\S]{4}WEBPVP8/.test(text)) return 'image/webp'
  if (/^\0\0\0[\s\S]ftypavi[fs]/.test(text)) return 'image/avif'
  return null
}
