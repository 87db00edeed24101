import { Fragment } from 'react'

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The text with what was looked for marked, longest words first. Text alone, whatever is in it. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text
  const each = words.toSorted((a, b) => b.length - a.length).map(escaped)
  const parts = text.split(new RegExp(`(${each.join('|')})`, 'giu'))
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <mark key={at} className="rounded-xs bg-warn-wash text-ink">
        {part}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <Fragment key={at}>{part}</Fragment>
    ),
  )
}
