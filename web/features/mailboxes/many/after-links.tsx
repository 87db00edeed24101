import { Link } from 'react-router'
import { getFirstSteps } from '#contract/first-steps.ts'
import { stepsOf } from '#web/dns-records/domain-steps.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { nextOf } from '#web/ui/data/step-list.tsx'

/** When access links are made: the next step of the domain that is nearest to working mail. Renders nothing when none is left. */
export function AfterLinks() {
  const { data } = useApi(getFirstSteps, {}, { enabled: useCan('see-domains') })
  const domain = data?.items.find(({ mailboxes }) => mailboxes > 0)
  const next = domain && nextOf(stepsOf(domain))
  if (!domain || !next) return null
  return (
    <section aria-label="Next step" className="grid gap-0.5 rounded-card bg-accent-wash px-4 py-3">
      <h3 className="wrap-anywhere font-semibold">
        Next, for {domain.unicodeName}:{' '}
        <Link to={next.path} className="text-accent-ink underline underline-offset-2">
          {next.title}
        </Link>
      </h3>
      <p className="wrap-anywhere text-pretty text-soft">{next.description}</p>
    </section>
  )
}
