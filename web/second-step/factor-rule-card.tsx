/** Whether a second factor is required, of the people of a workspace or of everybody, and who has none yet. */
import { useState } from 'react'
import {
  getFactorRule,
  getInstallationFactorRule,
  saveFactorRule,
  saveInstallationFactorRule,
} from '#contract/account/required-factor.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount, formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { FactorRuleDialog, type Of, whoseText } from './factor-rule-dialog.tsx'
import { PeopleWithoutDialog } from './people-without-dialog.tsx'

const routes = {
  workspace: { read: getFactorRule, save: saveFactorRule },
  installation: { read: getInstallationFactorRule, save: saveInstallationFactorRule },
} as const

export function FactorRuleCard({ of }: { of: Of }) {
  const { read, save: saving } = routes[of]
  const { data, error, refetch } = useApi<typeof read>(read, {})
  const [shown, setShown] = useState<'require' | 'end' | 'people' | null>(null)
  const close = () => setShown(null)
  const end = useCall<typeof saving>(saving, {
    onSuccess: () => toast({ title: 'A second factor is no longer required', variant: 'success' }),
    onError: (failure) => toastError(messageOf(failure)),
    onSettled: close,
  })
  return (
    <Card>
      <section aria-label="Second factor" className="grid gap-3 px-5 py-4">
        <h2 className="font-medium text-sm">Second factor</h2>
        {data ? (
          <>
            <p role="status" className="text-pretty text-soft text-sm">
              {data.requiredAt === null ? (
                <>
                  A passkey or an authenticator app is not required. People may set one up
                  themselves.
                </>
              ) : (
                <>
                  Required of {whoseText[of]}, since{' '}
                  <LocalTime at={data.requiredAt} format={formatDate} />, after{' '}
                  {daysText(data.graceDays ?? 0)} of grace.
                </>
              )}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" onClick={() => setShown('require')}>
                {data.requiredAt === null ? 'Require a second factor' : 'Change the days'}
              </Button>
              <Button variant="secondary" onClick={() => setShown('people')}>
                Without one: {formatCount(data.peopleWithout)}
              </Button>
              {data.requiredAt !== null && (
                <Button variant="quiet" onClick={() => setShown('end')}>
                  Stop requiring it
                </Button>
              )}
            </div>
          </>
        ) : error ? (
          <ErrorState
            title="Error loading whether a second factor is required"
            description={error.message}
            onRetry={() => void refetch()}
            className="py-6"
          />
        ) : (
          <Skeleton className="h-6 w-full" />
        )}
      </section>
      {shown === 'require' && data && (
        <FactorRuleDialog of={of} route={saving} graceDays={data.graceDays} onClose={close} />
      )}
      {shown === 'people' && <PeopleWithoutDialog of={of} onClose={close} />}
      <ConfirmDialog
        isOpen={shown === 'end'}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && close()}
        title="Stop requiring a second factor?"
        description="People without a second factor sign in by their password alone then. Those who have one keep it."
        confirmText={end.isPending ? 'Saving...' : 'Stop requiring it'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ body: { graceDays: null } })}
      />
    </Card>
  )
}

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`)
