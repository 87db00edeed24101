import { useMemo, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { QUOTE_LABEL } from './fold-quotes.ts'
import { destinationOf, linkify } from './safe-link.ts'

/** Characters. Longer texts are cut until the reader asks for the rest: a browser lays out megabytes slowly. */
const SHOWN_AT_FIRST = 200_000

type LinkProps = { onLink: (to: string) => void; onWrite: (mailto: string) => void }

export function PlainText({ text, ...links }: LinkProps & { text: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, SHOWN_AT_FIRST)
  const parts = useMemo(() => groupQuotes(shown), [shown])
  const last = parts.at(-1)
  // Folds the quotation at the end, unless the text is nothing else.
  const folded = last?.isQuote && parts.length > 1 ? last : null
  return (
    <div data-printed className="px-5 py-5 sm:px-6">
      <div className="max-w-[75ch] whitespace-pre-wrap break-words [unicode-bidi:plaintext] text-[0.9375rem] leading-6">
        {(folded ? parts.slice(0, -1) : parts).map(({ isQuote, text: part }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message never changes
          <span key={index} className={cn(isQuote && 'text-soft')}>
            <Linked text={part} {...links} />
          </span>
        ))}
        {folded && (
          <details className="mt-2 whitespace-normal">
            <summary
              aria-label={QUOTE_LABEL}
              title={QUOTE_LABEL}
              className="inline-flex min-h-6 cursor-pointer list-none items-center rounded-full bg-hover px-2.5 text-[0.625rem] text-soft tracking-wide hover:text-ink [&::-webkit-details-marker]:hidden"
            >
              •••
            </summary>
            <div className="mt-2 whitespace-pre-wrap text-soft">
              <Linked text={folded.text} {...links} />
            </div>
          </details>
        )}
      </div>
      {shown.length < text.length && (
        <Button variant="secondary" className="mt-4" onClick={() => setIsWhole(true)}>
          Show the whole message
        </Button>
      )}
    </div>
  )
}

function Linked({ text, onLink, onWrite }: LinkProps & { text: string }) {
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
        onClick={(event) => {
          if (!href.startsWith('mailto:')) return
          event.preventDefault()
          onWrite(href)
        }}
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

/** Groups neighbouring lines that are quoted, and those that are not. */
function groupQuotes(text: string): { isQuote: boolean; text: string }[] {
  const groups: { isQuote: boolean; text: string }[] = []
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .split(/(?<=\n)/)) {
    const isQuote = line.startsWith('>')
    const last = groups.at(-1)
    // An empty line after a quoted line belongs to the quotation.
    if (last && (last.isQuote === isQuote || (last.isQuote && line.trim() === '')))
      last.text += line
    else groups.push({ isQuote, text: line })
  }
  return groups
}
