import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { CatchAllDialog } from '../catch-all/catch-all-dialog.tsx'

/** Who gets what is for nobody in the domain. */
export function CatchAllCard({ domain }: { domain: Domain }) {
  const { catchAll, unicodeName, isVerified } = domain
  return (
    <Card>
      <section aria-label="Mail for unknown addresses">
        <CardHeader
          title="Mail for unknown addresses"
          aside={isVerified && <CatchAllButton domain={domain} />}
        />
        <p className="wrap-anywhere px-5 pb-5 text-pretty text-soft text-sm">
          {catchAll ? (
            <>
              Mail for addresses of {unicodeName} that do not exist goes to{' '}
              <span className="font-medium text-ink">{catchAll.email}</span>.
            </>
          ) : isVerified ? (
            `Mail for addresses of ${unicodeName} that do not exist is refused, and its sender is told. One mailbox can get it instead.`
          ) : (
            'Once the domain is verified, one mailbox can get the mail for addresses that do not exist.'
          )}
        </p>
      </section>
    </Card>
  )
}

export function CatchAllButton({ domain }: { domain: Domain }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Inbox aria-hidden />
        Catch-all
      </Button>
      {isOpen && <CatchAllDialog domain={domain} onClose={() => setIsOpen(false)} />}
    </>
  )
}
