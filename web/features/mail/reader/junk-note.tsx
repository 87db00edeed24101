/** Above a message in Junk: why it is there, each reason with its points, and the way out. */
import { ChevronDown, ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Junk } from '#contract/messages.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'

type JunkNoteProps = {
  /** null: it was put there by hand. */
  junk: Junk | null
  onNotJunk: () => void
}

export function JunkNote({ junk, onNotJunk }: JunkNoteProps) {
  const [isOpen, setIsOpen] = useState(false)
  const reasonsId = useId()
  const reasons = junk?.isJunk ? junk.reasons : []
  return (
    <section
      aria-label="Junk"
      className="mx-5 mb-4 grid gap-2 rounded-xl bg-hover px-3.5 py-2.5 text-soft text-sm sm:mx-6"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <ShieldAlert className="size-4 shrink-0" aria-hidden />
        <p className="wrap-anywhere min-w-48 flex-1">{junkSentence(junk)}</p>
        <div className="flex items-center gap-1">
          {reasons.length > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={reasonsId}
              onClick={() => setIsOpen(!isOpen)}
              className="flex min-h-6 items-center gap-1 rounded px-1.5 text-xs hover:text-ink"
            >
              Why
              <ChevronDown
                className={cn('size-3.5 transition-transform', isOpen && 'rotate-180')}
                aria-hidden
              />
            </button>
          )}
          <Button variant="secondary" size="small" onClick={onNotJunk}>
            Not junk
          </Button>
        </div>
      </div>
      <div id={reasonsId} hidden={!isOpen}>
        {isOpen && junk && <Reasons junk={junk} />}
      </div>
    </section>
  )
}

/** Why a message is in Junk, in one sentence. */
export function junkSentence(junk: Junk | null): string {
  const [first, ...others] = junk?.isJunk ? junk.reasons.filter(({ points }) => points > 0) : []
  if (!first) return 'In Junk because it was put there by hand.'
  const reason = first.text.replace(/^(?:Its?|An?|The)(?= )/, (word) => word.toLowerCase())
  const more = ['', ', and for one more reason'][others.length]
  return `In Junk because ${reason}${more ?? `, and for ${others.length} more reasons`}.`
}

/** '+1.5', '−2'. */
export const pointsText = (points: number): string =>
  points < 0 ? `−${-points}` : points > 0 ? `+${points}` : '0'

function Reasons({ junk }: { junk: Junk }) {
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Reasons and their points</caption>
      <tbody>
        {junk.reasons.map(({ text, points }) => (
          <tr key={text}>
            <th scope="row" className="wrap-anywhere py-1 pr-4 text-left font-normal">
              {text}
            </th>
            <td className="py-1 text-right align-top tabular-nums">{pointsText(points)}</td>
          </tr>
        ))}
        <tr className="border-line border-t font-medium">
          <th scope="row" className="pt-1.5 pr-4 text-left font-medium">
            In total; 5 or more is junk
          </th>
          <td className="pt-1.5 text-right tabular-nums">{pointsText(junk.score)}</td>
        </tr>
      </tbody>
    </table>
  )
}
