/** Views of these bytes, one after the other; nothing is copied. */
export function* piecesOf(bytes: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
