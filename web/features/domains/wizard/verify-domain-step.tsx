import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { DnsSetting } from '#contract/dns/setting.ts'
import { type Domain, recordStatus } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { FoundInDns } from '#web/dns-records/found-in-dns.tsx'
import { HostSwitch } from '#web/dns-records/host-switch.tsx'
import { ProviderAdvice } from '#web/dns-records/record-advice.tsx'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { RecordHistory } from './record-history.tsx'
import { StepPanel } from './step-panel.tsx'
import { type useOwnership, useVerifyOwnership } from './use-records.ts'
import { VerifyButtons } from './verify-dns-step.tsx'

type VerifyDomainStepProps = {
  domain: Domain
  setting: DnsSetting | null | undefined
  ownership: ReturnType<typeof useOwnership>
  takesFocus: boolean
  onContinue: () => void
}

/** Step 2: one TXT record proves the ownership of the domain. */
export function VerifyDomainStep(props: VerifyDomainStepProps) {
  const { domain, setting, ownership, takesFocus, onContinue } = props
  const { mutate, error, isPending: isChecking } = useVerifyOwnership(domain._id)
  const [hasChecked, setHasChecked] = useState(false)
  const record = ownership.data
  const isVerified = record?.isVerified === true
  const check = () =>
    mutate({ params: { id: domain._id } }, { onSettled: () => setHasChecked(true) })
  return (
    <StepPanel
      title="Verify domain"
      description={<Description isVerified={isVerified} domainName={domain.unicodeName} />}
      aside={record && <HostSwitch />}
      takesFocus={takesFocus}
      note={
        record && (
          <CheckNote
            records={[record]}
            domainName={domain.unicodeName}
            isChecking={isChecking}
            onCheck={isVerified ? check : undefined}
          />
        )
      }
      buttons={
        <VerifyButtons
          isVerified={isVerified}
          isReady={record !== undefined}
          isChecking={isChecking}
          onVerify={check}
          onContinue={onContinue}
        />
      }
    >
      {error?.type === 'DOMAIN_HELD' && <HeldElsewhere name={domain.unicodeName} />}
      <CheckProgress isChecking={isChecking} />
      {ownership.isError && !record ? (
        <ErrorState
          title="Error loading the record"
          description={ownership.error.message}
          onRetry={() => ownership.refetch()}
        />
      ) : (
        <>
          <ProviderAdvice domainName={domain.unicodeName} setting={setting} />
          <RecordTable
            label="Ownership record"
            records={record && [record]}
            placeholders={1}
            hasChecked={hasChecked}
            provider={setting?.provider ?? null}
          />
          <FoundInDns setting={setting} />
          {record && <RecordHistory domainId={domain._id} records={[record]} />}
        </>
      )}
      <p role="status" className="sr-only">
        {record && hasChecked && !isChecking && recordStatus(record.isVerified)}
      </p>
    </StepPanel>
  )
}

/** Both texts share one grid cell, as high as the longer one, so that the record below does not move when it is verified. */
function Description({ isVerified, domainName }: { isVerified: boolean; domainName: string }) {
  return (
    <span className="grid *:[grid-area:1/1]">
      <span className={cn(isVerified && 'invisible')}>
        Publish this record to prove that {domainName} is yours. Your website and your mail stay as
        they are.
      </span>
      <span className={cn(!isVerified && 'invisible')}>
        {domainName} is yours. Leave the record in place: it is checked from time to time.
      </span>
    </span>
  )
}

function HeldElsewhere({ name }: { name: string }) {
  return (
    <div role="alert" className="mx-5 mb-4 flex gap-3 rounded-xl bg-bad-wash p-4 sm:mx-6">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="grid gap-0.5 text-sm">
        <p className="font-medium text-bad">
          Another workspace holds {name}, and its record is in DNS beside yours.
        </p>
        <p className="text-soft">
          As long as both are there, the domain stays where it is. Remove the other record, which is
          shown above, then press Verify again.
        </p>
      </div>
    </div>
  )
}
