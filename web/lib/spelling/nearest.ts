/**
 * Which of the known texts somebody may have meant: the one that differs in the fewest letters, when it differs in few and no
 * other is as near.
 */
export function nearest(typed: string, known: Iterable<string>): string | null {
  const wanted = typed.toLowerCase()
  const most = Math.min(3, Math.floor(wanted.length / 4))
  let best: { text: string; edits: number } | null = null
  let isTied = false
  for (const text of known) {
    const limit = best?.edits ?? most
    if (Math.abs(text.length - wanted.length) > limit) continue
    const edits = editsBetween(wanted, text.toLowerCase(), limit)
    if (edits > limit) continue
    isTied = best?.edits === edits
    best = { text, edits }
  }
  return isTied ? null : (best?.text ?? null)
}

/** Letters to add, remove, replace or swap; above `limit` any larger number. */
export function editsBetween(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const at = (line: number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        i > 1 && j > 1 && isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}
