import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { HostSwitch } from '#web/dns-records/host-switch.tsx'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { StepPanel } from './step-panel.tsx'
import { requiredOf, type useDnsRecords, useVerifyDns } from './use-records.ts'
import { VerifyButtons } from './verify-buttons.tsx'

type VerifyDnsStepProps = {
  domain: Domain
  records: ReturnType<typeof useDnsRecords>
  takesFocus: boolean
  onContinue: () => void
}

/** Step 3: the records that make mail of this domain trusted, and those that bring it here. */
export function VerifyDnsStep({ domain, records, takesFocus, onContinue }: VerifyDnsStepProps) {
  const verify = useVerifyDns(domain._id)
  const [hasAsked, setHasAsked] = useState(false)
  const all = records.data ?? []
  const required = requiredOf(all)
  const recommended = all.filter((record) => !record.required)
  const verified = required.filter((record) => record.isVerified === true).length
  const isVerified = required.length > 0 && verified === required.length
  const ask = () =>
    verify.mutate({ params: { id: domain._id } }, { onSettled: () => setHasAsked(true) })
  return (
    <StepPanel
      title="Verify DNS"
      description={`Publish these records in the DNS of ${domain.unicodeName}. They tell other mail servers that mail sent from here is really yours.`}
      aside={records.data && <HostSwitch domainName={domain.name} />}
      takesFocus={takesFocus}
      note={
        records.data && (
          <CheckNote records={all} domainName={domain.unicodeName} isChecking={verify.isPending} />
        )
      }
      buttons={
        <VerifyButtons
          isVerified={isVerified}
          isReady={required.length > 0}
          isChecking={verify.isPending}
          onVerify={ask}
          onContinue={onContinue}
        />
      }
    >
      <CheckProgress isChecking={verify.isPending} />
      {records.isError && !records.data ? (
        <ErrorState
          title="Error loading the records"
          description={records.error.message}
          onRetry={() => records.refetch()}
        />
      ) : (
        <div className="grid gap-6">
          <RecordTable
            label="DNS records"
            domainName={domain.name}
            records={records.data && required}
            placeholders={3}
            hasAsked={hasAsked}
          />
          {recommended.length > 0 && (
            <section aria-labelledby="receiving-mail">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-5 pb-3 sm:px-6">
                <h3 id="receiving-mail" className="font-semibold text-sm">
                  Receiving mail
                </h3>
                <Badge>Recommended</Badge>
                <p className="w-full text-soft text-sm">
                  Brings the mail of {domain.unicodeName} here. Publish it when you are ready to
                  move: create the mailboxes first.
                </p>
                {isVerified && recommended.some((record) => record.isVerified !== true) && (
                  <Button
                    variant="secondary"
                    size="small"
                    isPending={verify.isPending}
                    onClick={ask}
                  >
                    Check again
                  </Button>
                )}
              </div>
              <RecordTable
                label="Records for receiving mail"
                domainName={domain.name}
                records={recommended}
                placeholders={1}
                hasAsked={hasAsked}
              />
            </section>
          )}
        </div>
      )}
      <p role="status" className="sr-only">
        {hasAsked && !verify.isPending && `${verified} of ${required.length} records verified`}
      </p>
    </StepPanel>
  )
}
