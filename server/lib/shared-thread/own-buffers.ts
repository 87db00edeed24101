/**
 * Those that can be handed to another thread, after which they are gone here: a small buffer shares its memory with others, and
 * is copied.
 */
export const ownBuffers = (views: readonly Uint8Array[]): ArrayBuffer[] => {
  const own = views.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
  return [...new Set(own.map(({ buffer }) => buffer as ArrayBuffer))]
}
