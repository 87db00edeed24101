/** A call about many rows, sent in parts: the page can say how far it is, and one part that fails loses no other. */

/** `onProgress` gets the number of items that are done. A part that throws ends the rest: its error comes with what was done. */
export async function inParts<Item, Row>(
  items: readonly Item[],
  size: number,
  send: (part: Item[]) => Promise<Row[]>,
  onProgress: (done: number) => void,
): Promise<{ rows: Row[]; left: Item[]; error: unknown }> {
  const rows: Row[] = []
  for (let at = 0; at < items.length; at += size) {
    onProgress(at)
    try {
      rows.push(...(await send(items.slice(at, at + size))))
    } catch (error) {
      return { rows, left: items.slice(at), error }
    }
  }
  onProgress(items.length)
  return { rows, left: [], error: null }
}
