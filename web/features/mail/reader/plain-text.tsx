import { useMemo, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { destinationOf } from '../safe-html/safe-link.ts'
import { linkify } from './linkify.ts'

/** Longer texts are cut until asked for: a browser lays out megabytes slowly. */
const SHOWN_AT_FIRST = 200_000

export function PlainText({ text, onLink }: { text: string; onLink: (to: string) => void }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, SHOWN_AT_FIRST)
  const lines = useMemo(() => groupQuotes(shown), [shown])
  return (
    <div className="px-5 py-5 sm:px-6">
      <div className="max-w-[75ch] whitespace-pre-wrap break-words [unicode-bidi:plaintext] text-[0.9375rem] leading-6">
        {lines.map(({ isQuote, text: part }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message never changes
          <span key={index} className={cn(isQuote && 'text-soft')}>
            <Linked text={part} onLink={onLink} />
          </span>
        ))}
      </div>
      {shown.length < text.length && (
        <Button variant="secondary" className="mt-4" onClick={() => setIsWhole(true)}>
          Show the whole message
        </Button>
      )}
    </div>
  )
}

function Linked({ text, onLink }: { text: string; onLink: (to: string) => void }) {
  const parts = useMemo(() => linkify(text), [text])
  return parts.map(({ text: part, href }, index) =>
    href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message never changes
        key={index}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-ink underline underline-offset-2"
        onMouseEnter={() => onLink(destinationOf(href))}
        onFocus={() => onLink(destinationOf(href))}
        onMouseLeave={() => onLink('')}
        onBlur={() => onLink('')}
      >
        {part}
      </a>
    ) : (
      part
    ),
  )
}

/** Neighbouring lines of the same kind together: quoted, or not. */
function groupQuotes(text: string): { isQuote: boolean; text: string }[] {
  const groups: { isQuote: boolean; text: string }[] = []
  for (const line of text.replace(/\r\n?/g, '\n').split(/(?<=\n)/)) {
    const isQuote = line.startsWith('>')
    const last = groups.at(-1)
    if (last?.isQuote === isQuote) last.text += line
    else groups.push({ isQuote, text: line })
  }
  return groups
}
