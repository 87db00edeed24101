/**
 * Joins class names. Of two sizes or spacings of the same kind the later wins, so that a component's own size can be
 * overridden; colours are variants of a component and are not overridden by class.
 * (tailwind-merge does this for everything and is as large as a whole page.)
 */
import { type ClassValue, clsx } from 'clsx'

const sized =
  /^((?:[^\s:[\]]+:)*)(size|[hw]|(?:min|max)-[hw]|[pm][xytrbl]?|gap(?:-[xy])?|rounded|z|grid-cols|top|right|bottom|left)-/

/** A cache. It is bounded by the combinations in the code; rows repeat theirs. */
const known = new Map<string, string>()

export function cn(...classes: ClassValue[]): string {
  const given = clsx(classes)
  const joined = known.get(given) ?? join(given)
  known.set(given, joined)
  return joined
}

function join(given: string): string {
  const kept = new Map<string, string>()
  for (const name of given.split(' ')) {
    const match = sized.exec(name)
    const key = match ? `${match[1]}${match[2]}` : name
    // Deleted first, so that the later name also takes the later place.
    kept.delete(key)
    kept.set(key, name)
  }
  return [...kept.values()].join(' ')
}
