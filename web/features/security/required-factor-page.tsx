/** In place of every page, for a person who needs a second factor and has none: sets one up, leaves, or goes elsewhere. */
import { useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { getSecondFactor } from '#contract/account/second-factor.ts'
import { endSession } from '#web/lib/api/end-session.ts'
import { factorIsSettled } from '#web/lib/api/factor-due.ts'
import { answerStepUp, useStepUp } from '#web/lib/api/step-up.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { LeaveCard } from './leave-card.tsx'
import { SecondFactorCards } from './second-factor-cards.tsx'
import { StepUpDialog } from './step-up-dialog.tsx'

/** `others`: workspaces that do not require one. */
export function RequiredFactorPage({ others }: { others: ReactNode }) {
  usePageTitle('Security')
  const isHolder = useHolder() !== null
  const isAsked = useStepUp()
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <PageHeading
        title="Set up a second factor"
        subtitle="An Admin of your workspace, or the operator of this installation, requires one. Until you have it, you reach nothing else here."
        actions={<LogOutButton />}
      />
      <Done />
      <SecondFactorCards />
      {!isHolder && others}
      {!isHolder && <LeaveCard />}
      {isAsked && <StepUpDialog onAnswer={answerStepUp} />}
    </div>
  )
}

function LogOutButton() {
  const leave = () => endSession().catch(() => toastError('Failed to logout, please try again'))
  return (
    <Button variant="secondary" onClick={() => void leave()}>
      <LogOut aria-hidden />
      Log out
    </Button>
  )
}

/** Not by itself: the recovery codes are shown this once. */
function Done() {
  const { data } = useApi(getSecondFactor, {})
  const client = useQueryClient()
  if (!data || (data.totpSince === null && data.passkeys.length === 0)) return null
  const goOn = () => {
    factorIsSettled()
    void client.resetQueries()
  }
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
      <p role="status" className="min-w-0 flex-1 basis-60 text-pretty text-sm">
        You have a second factor now. Keep your recovery codes where you find them.
      </p>
      <Button onClick={goOn}>Continue</Button>
    </Card>
  )
}
