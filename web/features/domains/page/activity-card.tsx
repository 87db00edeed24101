import type { Domain } from '#contract/domains.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { RecordChanges } from '../wizard/record-history.tsx'

export const shownChanges = { limit: 5 }

/** What DNS said of the records, change by change. */
export function ActivityCard({ domain }: { domain: Domain }) {
  return (
    <Card className="overflow-hidden">
      <section aria-label="Activity">
        <CardHeader title="Activity" description="How its DNS records changed, newest first" />
        <div className="px-5 pb-5 text-sm">
          <RecordChanges
            domainId={domain._id}
            first={shownChanges.limit}
            none="No record has changed since the domain was added."
          />
        </div>
      </section>
    </Card>
  )
}
