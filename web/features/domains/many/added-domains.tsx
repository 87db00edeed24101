import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { AddedRow } from '#contract/many-domains.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'

type AddedDomainsProps = { rows: readonly AddedRow[]; onMore: () => void }

/** What became of each name, and the next step. */
export function AddedDomains({ rows, onMore }: AddedDomainsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const added = rows.filter(({ outcome }) => outcome === 'added')
  const left = rows.filter(({ outcome }) => outcome !== 'added')
  return (
    <Card className="grid gap-5 p-5">
      <div className="flex items-start gap-3">
        <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
        <div className="grid gap-1">
          <h2
            ref={heading}
            tabIndex={-1}
            className="font-semibold text-base tracking-tight outline-none"
          >
            {formatCount(added.length)} of {formatCount(rows.length)} added
          </h2>
          <p className="max-w-2xl text-pretty text-soft text-sm">
            Next, the records of these domains are published where their DNS is. Verify looks all of
            them up at once.
          </p>
        </div>
      </div>
      {left.length > 0 && <LeftRows rows={left} />}
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <Link to={paths.domains()}>Go to Domains</Link>
        </Button>
        <Button variant="secondary" onClick={onMore}>
          Add more
        </Button>
      </div>
    </Card>
  )
}

function LeftRows({ rows }: { rows: readonly AddedRow[] }) {
  return (
    <section aria-label="Not added" className="grid gap-2">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold text-sm tabular-nums">
          Not added: {formatCount(rows.length)}
        </h3>
        <CopyButton text={rows.map(({ name }) => name).join('\n')} label="Copy these names" />
      </header>
      <ul className="grid gap-1 text-sm">
        {rows.map(({ name, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice, and rows do not move
          <li key={index} className="grid gap-x-3 sm:grid-cols-2">
            <span dir="auto" className="wrap-anywhere font-medium">
              {name}
            </span>
            <span className="text-soft">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
