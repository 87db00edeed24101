import type { Domain } from '#contract/domains.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { CatchAllButton } from '../catch-all/catch-all-button.tsx'

/** Who gets what is for nobody in the domain. */
export function CatchAllCard({ domain }: { domain: Domain }) {
  const { catchAll, unicodeName, isVerified } = domain
  return (
    <Card>
      <section aria-label="Mail to unknown addresses">
        <CardHeader
          title="Mail to unknown addresses"
          aside={isVerified && <CatchAllButton domain={domain} />}
        />
        <p className="wrap-anywhere px-5 pb-5 text-pretty text-soft text-sm">
          {catchAll ? (
            <>
              Mail for addresses of {unicodeName} that are no mailbox and no alias goes to{' '}
              <span className="font-medium text-ink">{catchAll.email}</span>.
            </>
          ) : isVerified ? (
            `Mail for addresses of ${unicodeName} that are no mailbox and no alias is refused, and its sender learns that. One mailbox can get it instead.`
          ) : (
            'Once the domain is verified, one mailbox can get the mail for addresses that do not exist.'
          )}
        </p>
      </section>
    </Card>
  )
}
