/** How a person signs in, where they are signed in, and how they leave. A list of cards. */
import { getLeaving } from '#contract/account/leaving.ts'
import { getSecondFactor } from '#contract/account/second-factor.ts'
import { listPrograms, listSessions } from '#contract/account/sessions.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { LeaveCard } from './leave-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { ProgramsCard } from './programs-card.tsx'
import { SecondFactorCards } from './second-factor-cards.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function SecurityPage() {
  usePageTitle('Security')
  const isHolder = useHolder() !== null
  return (
    <div className="grid gap-6">
      <PageHeading title="Security" subtitle="How you sign in, and where you are signed in" />
      <SecondFactorCards />
      <SessionsCard />
      <ProgramsCard />
      <OwnDataCard />
      {!isHolder && <LeaveCard />}
    </div>
  )
}

export const loadSecurity: LoadPage = ({ ask }) =>
  Promise.all([
    ask(getSecondFactor, {}),
    ask(listSessions, {}),
    ask(listPrograms, {}),
    ask(getLeaving, {}),
  ])
