/** Whether a second factor is required, of the people of a workspace or of everybody, and who has none yet. */
import { useRef, useState } from 'react'
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
import { useFocusPassedOn } from '#web/ui/use-focus-passed-on.ts'
import { FactorRuleDialog, type Of, whoseText } from './factor-rule-dialog.tsx'
import { PeopleWithoutDialog } from './people-without-dialog.tsx'

const routes = {
  workspace: { read: getFactorRule, save: saveFactorRule },
  installation: { read: getInstallationFactorRule, save: saveInstallationFactorRule },
} as const

export function FactorRuleCard({ of }: { of: Of }) {
  const { read, save: saving } = routes[of]
  const { data, error, refetch } = useApi<typeof read>(read, {})
  const [shown, setShown] = useState<'require' | 'people' | null>(null)
  const close = () => setShown(null)
  return (
    <Card>
      <section
        aria-label="Second factor"
        tabIndex={-1}
        className="grid gap-3 px-5 py-4 outline-none"
      >
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
              {data.requiredAt !== null && <StopRequiring route={saving} />}
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
          <div role="status" className="grid gap-3">
            <span className="sr-only">Loading whether a second factor is required</span>
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-9 w-72 max-w-full" />
          </div>
        )}
      </section>
      {shown === 'require' && data && (
        <FactorRuleDialog of={of} route={saving} graceDays={data.graceDays} onClose={close} />
      )}
      {shown === 'people' && <PeopleWithoutDialog of={of} onClose={close} />}
    </Card>
  )
}

type StopRequiringProps = { route: typeof saveFactorRule | typeof saveInstallationFactorRule }

/** Goes when it is done, and its question with it. */
function StopRequiring({ route }: StopRequiringProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusPassedOn(button)
  const [isAsking, setIsAsking] = useState(false)
  const end = useCall<typeof route>(route, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: 'A second factor is no longer required', variant: 'success' })
    },
    onError: (failure) => toastError(messageOf(failure)),
  })
  return (
    <>
      <Button ref={button} variant="quiet" onClick={() => setIsAsking(true)}>
        Stop requiring it
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setIsAsking(false)}
        title="Stop requiring a second factor?"
        description="People without a second factor sign in by their password alone then. Those who have one keep it."
        confirmText={end.isPending ? 'Saving...' : 'Stop requiring it'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ body: { graceDays: null } })}
      />
    </>
  )
}

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`)
