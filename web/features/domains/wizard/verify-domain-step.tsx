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

/** Step 2: one TXT record proves that the domain is theirs. */
export function VerifyDomainStep(props: VerifyDomainStepProps) {
  const { domain, setting, ownership, takesFocus, onContinue } = props
  const verify = useVerifyOwnership(domain._id)
  const [hasAsked, setHasAsked] = useState(false)
  const record = ownership.data
  const isVerified = record?.isVerified === true
  const ask = () =>
    verify.mutate({ params: { id: domain._id } }, { onSettled: () => setHasAsked(true) })
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
            isChecking={verify.isPending}
          />
        )
      }
      buttons={
        <VerifyButtons
          isVerified={isVerified}
          isReady={record !== undefined}
          isChecking={verify.isPending}
          onVerify={ask}
          onContinue={onContinue}
        />
      }
    >
      {verify.error?.type === 'DOMAIN_HELD' && <Held name={domain.unicodeName} />}
      <CheckProgress isChecking={verify.isPending} />
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
            hasAsked={hasAsked}
            provider={setting?.provider ?? null}
          />
          <FoundInDns setting={setting} />
          {record && <RecordHistory domainId={domain._id} records={[record]} />}
        </>
      )}
      <p role="status" className="sr-only">
        {record && hasAsked && !verify.isPending && recordStatus(record.isVerified)}
      </p>
    </StepPanel>
  )
}

/** Both stand in the same place, as high as the longer one: the record below stays where it is when it is verified. */
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

function Held({ name }: { name: string }) {
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
