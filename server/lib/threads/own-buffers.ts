/**
 * The buffers that can be transferred to another thread, and are unusable here afterwards. A small buffer shares its memory with
 * others, and is copied instead.
 */
export const ownBuffers = (views: readonly Uint8Array[]): ArrayBuffer[] => {
  const own = views.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength)
  return [...new Set(own.map(({ buffer }) => buffer as ArrayBuffer))]
}

/** The same bytes as a Buffer, without copying: from another thread it arrives as a Uint8Array. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
