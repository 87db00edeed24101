/** What stands in the search box, while the address that follows it is always a little behind. Pure. */

export type TypedSearch = {
  typed: string
  /** What the address says. */
  shown: string
  /** On their way to the address, oldest first. */
  asked: readonly string[]
}

export const startWith = (value: string): TypedSearch => ({ typed: value, shown: value, asked: [] })

export const ask = (now: TypedSearch): TypedSearch => ({
  ...now,
  asked: [...now.asked, now.typed.trim()],
})

/** What was asked for here leaves what was typed since; back, a cleared search and the like take its place. */
export const afterAddress = (now: TypedSearch, value: string): TypedSearch => {
  const at = now.asked.indexOf(value)
  if (at < 0) return startWith(value)
  return { ...now, shown: value, asked: now.asked.slice(at + 1) }
}
