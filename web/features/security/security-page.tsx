/** How the person signs in, for accounts and holders: a list of cards. */
import { getSecondFactor } from '#contract/account/second-factor.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { SecondFactorCards } from './second-factor-cards.tsx'

export function SecurityPage() {
  usePageTitle('Security')
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeading title="Security" subtitle="How you sign in, and what keeps others out" />
      <SecondFactorCards />
    </div>
  )
}

export const loadSecurity: LoadPage = ({ ask }) => ask(getSecondFactor, {})
