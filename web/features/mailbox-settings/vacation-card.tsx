/** The automatic reply that senders get while the holder is away. */
import { getMailboxSettings } from '#contract/mail/mailbox-settings.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { VacationForm, vacationStates } from './vacation-form.tsx'

export function VacationCard({ mailbox }: { mailbox: Mailbox }) {
  const vacation = useApi(getVacation, { params: { id: mailbox._id } })
  const settings = useApi(getMailboxSettings, { params: { id: mailbox._id } })
  const state = vacation.data && vacationStates[vacation.data.state]
  return (
    <Card>
      <CardHeader
        title="Vacation reply"
        description="An automatic answer while you are away"
        aside={state && <Status tone={state.tone}>{state.text}</Status>}
      />
      {vacation.isError && !vacation.data ? (
        <ErrorState
          title="The vacation reply could not be loaded"
          description={vacation.error.message}
          onRetry={() => void vacation.refetch()}
          className="py-8"
        />
      ) : vacation.data ? (
        <VacationForm
          mailbox={mailbox}
          vacation={vacation.data}
          canChange={settings.data?.canChange !== false}
        />
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading the vacation reply</span>
          <Skeleton className="h-6 w-56" />
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
    </Card>
  )
}
