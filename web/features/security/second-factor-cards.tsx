/** What proves the person beside the password: authenticator app, passkeys, recovery codes, trusted browsers. */
import { useState } from 'react'
import { getSecondFactor } from '#contract/account/second-factor.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AppCard, type NewCodes } from './app-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { RecoveryCodesCard } from './recovery-codes-card.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TrustedBrowsersCard } from './trusted-browsers-card.tsx'

export function SecondFactorCards() {
  const factor = useApi(getSecondFactor, {})
  const [newCodes, setNewCodes] = useState<{ codes: readonly string[]; isFirst: boolean } | null>(
    null,
  )
  if (!factor.data)
    return (
      <Card>
        <CardHeader
          title="Second factor"
          description="Asked for after the password, so that the password alone opens nothing."
        />
        {factor.isError ? (
          <ErrorState
            title="Error loading your second factor"
            description={factor.error.message}
            onRetry={() => void factor.refetch()}
            className="py-8"
          />
        ) : (
          <div role="status" className="grid gap-3 px-5 pb-5">
            <span className="sr-only">Loading...</span>
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </div>
        )}
      </Card>
    )
  const { totpSince, passkeys, passkeysWork, recoveryCodesLeft, trustedBrowsers } = factor.data
  const show: NewCodes = (codes, isFirst) => setNewCodes({ codes, isFirst })
  const hasFactor = totpSince !== null || passkeys.length > 0
  return (
    <>
      <AppCard since={totpSince} isLast={passkeys.length === 0} onCodes={show} />
      <PasskeysCard
        passkeys={passkeys}
        canAdd={passkeysWork}
        isOnlyFactor={totpSince === null}
        onCodes={show}
      />
      {hasFactor && (
        <RecoveryCodesCard left={recoveryCodesLeft} onCodes={(codes) => show(codes, false)} />
      )}
      {hasFactor && <TrustedBrowsersCard browsers={trustedBrowsers} />}
      {newCodes && <RecoveryCodesDialog {...newCodes} onClose={() => setNewCodes(null)} />}
    </>
  )
}
