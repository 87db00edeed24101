import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'

/** Equal characters shown on either side of a change. */
const CONTEXT_LENGTH = 28

/** Marks where the found value differs from the expected one. Renders nothing when a comparison would not help. */
export function DifferenceView({ found, expected }: { found: string; expected: string }) {
  const parts = differenceOf(found, expected)
  if (parts === null) return null
  const has = (kind: Part['kind']) => parts.some((part) => part.kind === kind)
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="flex flex-wrap gap-x-3 text-soft text-xs">
        The difference:
        {has('extra') && (
          <span>
            <del className={cn(styles.extra, 'px-1')}>too much</del>
          </span>
        )}
        {has('missing') && (
          <span>
            <ins className={cn(styles.missing, 'px-1')}>missing</ins>
          </span>
        )}
      </figcaption>
      <p className="whitespace-pre-wrap font-mono text-xs leading-5">
        {shortened(parts, CONTEXT_LENGTH).map(({ kind, text }, at) => {
          const Tag = { same: 'span', extra: 'del', missing: 'ins' }[kind] as 'span' | 'del' | 'ins'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is nothing but its place
            <Tag key={at} className={styles[kind]}>
              {text}
            </Tag>
          )
        })}
      </p>
    </figure>
  )
}

export type Part = { kind: 'same' | 'missing' | 'extra'; text: string }

/** Texts that have less in common than this are different texts: marking differences would not help. */
const MIN_EQUAL_SHARE = 0.5
const MAX_EDITS = 400
/** Shorter equal stretches between two changes are coincidence. */
const MIN_EQUAL_LENGTH = 3

/**
 * The part of a found record to compare with the expected value: of an MX record the host. null for a CNAME record in its
 * place.
 */
export const comparableIn = (found: string, type: DnsRecord['type']): string | null =>
  type === 'MX' ? (/^\d+ (.+)$/.exec(found)?.[1] ?? null) : found

/**
 * The edits that turn the found text into the expected one, by characters, or by words for SPF. Pure.
 * Returns null when the texts are equal or too different for a comparison to help.
 */
export function differenceOf(found: string, expected: string): Part[] | null {
  if (found === expected) return null
  const isSpf = /^v=spf1\s/i.test(expected)
  const [from, to] = isSpf ? [wordsOf(found), wordsOf(expected)] : [[...found], [...expected]]
  const steps = shortestEdit(from, to)
  if (steps === null) return null
  const parts = merged(isSpf ? steps : withoutCoincidences(merged(steps)))
  const same = lengthOf(parts, 'same')
  return same < Math.max(found.length, expected.length) * MIN_EQUAL_SHARE ? null : parts
}

const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? []

const lengthOf = (parts: readonly Part[], kind: Part['kind']): number =>
  parts.reduce((sum, part) => sum + (part.kind === kind ? part.text.length : 0), 0)

/** Myers' greedy algorithm: the furthest point on each diagonal, edit by edit. Returns null after MAX_EDITS edits. */
function shortestEdit(from: readonly string[], to: readonly string[]): Part[] | null {
  const reached = new Map<number, number>([[1, 0]])
  const history: Map<number, number>[] = []
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    history.push(new Map(reached))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(reached, diagonal, edits)
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1
      reached.set(diagonal, x)
      if (x >= from.length && x - diagonal >= to.length) return walkBack(history, from, to)
    }
  }
  return null
}

const startOn = (reached: Map<number, number>, diagonal: number, edits: number): number => {
  const below = reached.get(diagonal + 1) ?? -1
  const before = reached.get(diagonal - 1) ?? -1
  const isDown = diagonal === -edits || (diagonal !== edits && before < below)
  return isDown ? below : before + 1
}

function walkBack(
  history: readonly Map<number, number>[],
  from: readonly string[],
  to: readonly string[],
): Part[] {
  const parts: Part[] = []
  let [x, y] = [from.length, to.length]
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reached = history[edits] ?? new Map<number, number>()
    const diagonal = x - y
    const below = reached.get(diagonal + 1) ?? -1
    const before = reached.get(diagonal - 1) ?? -1
    const isDown = diagonal === -edits || (diagonal !== edits && before < below)
    const startX = edits === 0 ? 0 : isDown ? below : before
    const startY = edits === 0 ? 0 : startX - (isDown ? diagonal + 1 : diagonal - 1)
    while (x > startX && y > startY && from[x - 1] === to[y - 1]) {
      x -= 1
      y -= 1
      parts.push({ kind: 'same', text: from[x] ?? '' })
    }
    if (x > startX) parts.push({ kind: 'extra', text: from[startX] ?? '' })
    else if (y > startY) parts.push({ kind: 'missing', text: to[startY] ?? '' })
    ;[x, y] = [startX, startY]
  }
  return parts.reverse()
}

/** Merges neighbours of one kind; between two equal parts, extra text comes before missing text. */
function merged(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  let [extra, missing] = ['', '']
  const flush = () => {
    if (extra !== '') result.push({ kind: 'extra', text: extra })
    if (missing !== '') result.push({ kind: 'missing', text: missing })
    ;[extra, missing] = ['', '']
  }
  for (const { kind, text } of parts) {
    if (kind === 'extra') extra += text
    else if (kind === 'missing') missing += text
    else {
      flush()
      const last = result.at(-1)
      if (last?.kind === 'same') last.text += text
      else result.push({ kind, text })
    }
  }
  flush()
  return result
}

/** Splits short equal parts into an edit: a letter that two texts share by coincidence would break the marks into pieces. */
const withoutCoincidences = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part, at): Part[] => {
    const isCoincidence =
      part.kind === 'same' && part.text.length < MIN_EQUAL_LENGTH && at > 0 && at < parts.length - 1
    if (!isCoincidence) return [part]
    return [
      { kind: 'extra', text: part.text },
      { kind: 'missing', text: part.text },
    ]
  })

/** Replaces the middle of long equal parts by '…'. */
export const shortened = (parts: readonly Part[], contextLength: number): Part[] =>
  parts.map((part) =>
    part.kind === 'same' && part.text.length > 2 * contextLength + 1
      ? { ...part, text: `${part.text.slice(0, contextLength)}…${part.text.slice(-contextLength)}` }
      : part,
  )

const styles: Record<Part['kind'], string> = {
  same: '',
  extra: 'rounded-sm bg-bad-fill/15 text-bad decoration-bad line-through',
  missing: 'rounded-sm bg-good/15 text-good decoration-good underline underline-offset-2',
}
