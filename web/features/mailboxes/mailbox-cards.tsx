import { Globe, Inbox, MailPlus } from 'lucide-react'
import { getStats } from '#contract/stats.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { StatisticCard } from '#web/ui/data/stat-card.tsx'

/** Slots are free places: the limit of a domain times the active domains, less their mailboxes. */
export function MailboxCards() {
  const { data, isError } = useApi(getStats, {})
  const shown = (count: number | undefined) =>
    count === undefined ? (isError ? '–' : undefined) : formatCount(count)
  return (
    // In a narrow place titles take two lines: all of them, so that the figures stand level.
    <div className="@container">
      <div className="grid grid-cols-3 gap-2 sm:gap-4 @max-2xl:[&_h2]:min-h-10 max-sm:[&_svg]:hidden">
        <StatisticCard
          className="max-sm:p-3"
          title="Active Domains"
          count={shown(data?.mailboxes.activeDomains)}
          icon={Globe}
        >
          {/* On the page of the domains it is another figure: there it counts those without mailboxes too. */}
          <p className="text-soft">with mailboxes</p>
        </StatisticCard>
        <StatisticCard
          className="max-sm:p-3"
          title="Mail slots"
          count={shown(data?.mailboxes.slots)}
          icon={MailPlus}
        />
        <StatisticCard
          className="max-sm:p-3"
          title="Active Mailboxes"
          count={shown(data?.mailboxes.active)}
          icon={Inbox}
        />
      </div>
    </div>
  )
}
