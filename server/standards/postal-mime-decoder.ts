/**
 * postal-mime joins the lines of an unencoded part through a Blob of two pieces per line: three seconds and a
 * gigabyte for 25 MB, minutes for 25 MB of empty lines. This joins them by copying. Loading this module mends the
 * library for the process; it fails at start when a new version has moved the decoder.
 */
type PassThroughDecoder = { chunks: (Uint8Array | string)[] }

const entry = import.meta.resolve('postal-mime')
const { default: Decoder } = (await import(new URL('./pass-through-decoder.js', entry).href)) as {
  default: { prototype: PassThroughDecoder & { finalize(): unknown } }
}

if (typeof Decoder.prototype.finalize !== 'function')
  throw new Error('this version of postal-mime has another pass-through decoder')

Decoder.prototype.finalize = async function joinByCopying(
  this: PassThroughDecoder,
): Promise<ArrayBuffer> {
  let length = 0
  for (const chunk of this.chunks) length += chunk.length
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of this.chunks) {
    // The only text among the pieces is '\n'.
    if (typeof chunk === 'string') bytes.fill(0x0a, at, at + chunk.length)
    else bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes.buffer
}
