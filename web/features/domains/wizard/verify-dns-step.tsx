import { useLayoutEffect, useRef, useState } from 'react'
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { Domain } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { notesFor } from '#web/dns-records/found-words.ts'
import { HostSwitch } from '#web/dns-records/host-switch.tsx'
import { ReceivingMail } from '#web/dns-records/receiving-mail.tsx'
import { ProviderAdvice } from '#web/dns-records/record-advice.tsx'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { ZoneFileButton } from '#web/dns-records/zone-file-button.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { OptionalRecords } from './optional-records.tsx'
import { RecordHistory } from './record-history.tsx'
import { StepPanel } from './step-panel.tsx'
import { requiredOf, type useDnsRecords, useVerifyDns, useZoneFile } from './use-records.ts'

type VerifyDnsStepProps = {
  domain: Domain
  setting: DnsSetting | null | undefined
  records: ReturnType<typeof useDnsRecords>
  takesFocus: boolean
  onContinue: () => void
}

/** Step 3: the records that make mail of this domain trusted, and those that bring it here. */
export function VerifyDnsStep(props: VerifyDnsStepProps) {
  const { domain, setting, records, takesFocus, onContinue } = props
  const { mutate, isPending: isChecking } = useVerifyDns(domain._id)
  const zoneFile = useZoneFile(domain)
  const [hasAsked, setHasAsked] = useState(false)
  const provider = setting?.provider ?? null
  const all = records.data ?? []
  const required = requiredOf(all)
  const recommended = all.filter((record) => !record.required)
  const verified = required.filter((record) => record.isVerified === true).length
  const isVerified = required.length > 0 && verified === required.length
  const ask = () => mutate({ params: { id: domain._id } }, { onSettled: () => setHasAsked(true) })
  return (
    <StepPanel
      title="Verify DNS"
      description={`Publish these records in the DNS of ${domain.unicodeName}. They tell other mail servers that mail sent from here is really yours.`}
      aside={
        records.data && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <HostSwitch />
            <ZoneFileButton {...zoneFile} />
          </div>
        )
      }
      takesFocus={takesFocus}
      note={
        records.data && (
          <CheckNote records={all} domainName={domain.unicodeName} isChecking={isChecking} />
        )
      }
      buttons={
        <VerifyButtons
          isVerified={isVerified}
          isReady={required.length > 0}
          isChecking={isChecking}
          onVerify={ask}
          onContinue={onContinue}
        />
      }
    >
      <CheckProgress isChecking={isChecking} />
      {records.isError && !records.data ? (
        <ErrorState
          title="Error loading the records"
          description={records.error.message}
          onRetry={() => records.refetch()}
        />
      ) : (
        <>
          <ProviderAdvice domainName={domain.unicodeName} setting={setting} />
          <div className="grid gap-6">
            <RecordTable
              label="DNS records"
              records={records.data && required}
              placeholders={3}
              hasAsked={hasAsked}
              provider={provider}
              notes={notesFor(setting, required)}
            />
            {recommended.length > 0 && (
              <ReceivingMail
                domainName={domain.unicodeName}
                records={recommended}
                setting={setting}
                hasAsked={hasAsked}
                onCheck={isVerified ? ask : undefined}
                isChecking={isChecking}
              />
            )}
          </div>
          {records.data && <OptionalRecords {...{ domain, provider, isChecking }} onCheck={ask} />}
          <RecordHistory domainId={domain._id} records={all} />
        </>
      )}
      <p role="status" className="sr-only">
        {hasAsked && !isChecking && `${verified} of ${required.length} records verified`}
      </p>
    </StepPanel>
  )
}

type VerifyButtonsProps = {
  isVerified: boolean
  /** The records are known. */
  isReady: boolean
  isChecking: boolean
  onVerify: () => void
  onContinue: () => void
}

export function VerifyButtons(props: VerifyButtonsProps) {
  const { isVerified, isReady, isChecking, onVerify, onContinue } = props
  const goOn = useFocusOnceTrue(isVerified, isReady)
  return (
    <>
      <Button
        variant={isVerified ? 'secondary' : 'primary'}
        disabled={!isReady || isVerified}
        isPending={isChecking && !isVerified}
        onClick={onVerify}
      >
        {isChecking && !isVerified ? 'Verifying...' : 'Verify'}
      </Button>
      <Button
        ref={goOn}
        variant={isVerified ? 'primary' : 'secondary'}
        disabled={!isVerified}
        onClick={onContinue}
      >
        Continue
      </Button>
    </>
  )
}

/**
 * The records became right while somebody looks: what comes next gets the focus, and the page stays where it is. Not from
 * somebody who types, nor from a dialog. Before the browser has painted, a Verify that is done with still has it.
 */
function useFocusOnceTrue(isTrue: boolean, isKnown: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasFalse = useRef(false)
  useLayoutEffect(() => {
    const isBusy = document.activeElement?.closest('input, textarea, [role$=dialog], [role=menu]')
    if (isTrue && wasFalse.current && !isBusy) button.current?.focus({ preventScroll: true })
    wasFalse.current = isKnown && !isTrue
  }, [isTrue, isKnown])
  return button
}
