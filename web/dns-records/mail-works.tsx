import { PartyPopper } from 'lucide-react'
import { Link } from 'react-router'
import type { DomainSteps } from '#contract/first-steps.ts'
import { formatMoment } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'

type MailWorksProps = {
  domain: DomainSteps
  /** Absent: the reader may not say that it was read. */
  onSeen?: (id: string) => void
  isPending?: boolean
}

/** The end of the first steps of a domain: said once, until somebody who manages domains has read it. */
export function MailWorks({ domain, onSeen, isPending = false }: MailWorksProps) {
  const { _id, unicodeName, cameAt, wentAt } = domain
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 bg-good-wash/60 px-5 py-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-good-wash text-good">
        <PartyPopper className="size-5" aria-hidden />
      </span>
      <div role="status" className="grid min-w-0 grow basis-60 gap-0.5">
        <h2 className="font-semibold text-lg tracking-tight">Mail works now</h2>
        <p className="wrap-anywhere text-pretty text-sm">
          Mail of {unicodeName} comes and goes.
          {cameAt && (
            <>
              {' '}
              The first came in <LocalTime at={cameAt} format={formatMoment} />
              {wentAt && (
                <>
                  , the first went out <LocalTime at={wentAt} format={formatMoment} />
                </>
              )}
              .
            </>
          )}
        </p>
      </div>
      <Button asChild variant="secondary">
        <Link to={paths.setUpMail()}>Phone and programs</Link>
      </Button>
      {onSeen && (
        <Button variant="secondary" isPending={isPending} onClick={() => onSeen(_id)}>
          Got it
        </Button>
      )}
    </Card>
  )
}
