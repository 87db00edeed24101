import { useLayoutEffect, useRef, useState } from 'react'
import type { DnsProvider, DnsSetting } from '#contract/dns/setting.ts'
import { type Domain, optionalPurposes } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { notesFor } from '#web/dns-records/found-words.ts'
import { HostSwitch } from '#web/dns-records/host-switch.tsx'
import { ReceivingMail } from '#web/dns-records/receiving-mail.tsx'
import { ProviderAdvice } from '#web/dns-records/record-advice.tsx'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { optionalReasons } from '#web/dns-records/record-text.ts'
import { ZoneFileButton } from '#web/dns-records/zone-file-button.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { TrialNotice } from '../trial-notice.tsx'
import { RecordHistory } from './record-history.tsx'
import { StepPanel } from './step-panel.tsx'
import {
  requiredOf,
  type useDnsRecords,
  useOptionalRecords,
  useVerifyDns,
  useZoneFile,
} from './use-records.ts'

type VerifyDnsStepProps = {
  domain: Domain
  setting: DnsSetting | null | undefined
  records: ReturnType<typeof useDnsRecords>
  takesFocus: boolean
  onContinue: () => void
}

/** Step 3: the records that authenticate mail of this domain, and those that bring its mail here. */
export function VerifyDnsStep(props: VerifyDnsStepProps) {
  const { domain, setting, records, takesFocus, onContinue } = props
  const { mutate, isPending: isChecking } = useVerifyDns(domain._id)
  const zoneFile = useZoneFile(domain)
  const [hasChecked, setHasChecked] = useState(false)
  const all = records.data ?? []
  const required = requiredOf(all)
  const verified = required.filter((record) => record.isVerified === true).length
  const isVerified = required.length > 0 && verified === required.length
  const run = () => mutate({ params: { id: domain._id } }, { onSettled: () => setHasChecked(true) })
  return (
    <StepPanel
      title="Verify DNS"
      description={
        records.error?.type === 'TRIAL'
          ? `The records of ${domain.unicodeName} stand here once this installation is no trial.`
          : `Publish these records in the DNS of ${domain.unicodeName}. They tell other mail servers that mail sent from here is really yours.`
      }
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
          <CheckNote
            {...{ records: all, isChecking, domainName: domain.unicodeName }}
            onCheck={isVerified ? run : undefined}
          />
        )
      }
      buttons={
        <VerifyButtons
          isVerified={isVerified}
          isReady={required.length > 0}
          isChecking={isChecking}
          onVerify={run}
          onContinue={onContinue}
        />
      }
    >
      <CheckProgress isChecking={isChecking} />
      <AllRecords {...{ domain, setting, records, hasChecked, isChecking }} onCheck={run} />
      <p role="status" className="sr-only">
        {hasChecked && !isChecking && `${verified} of ${required.length} records verified`}
      </p>
    </StepPanel>
  )
}

type AllRecordsProps = Pick<VerifyDnsStepProps, 'domain' | 'setting' | 'records'> & {
  hasChecked: boolean
  isChecking: boolean
  onCheck: () => void
}

/** All records of the domain, their history, and advice for the DNS provider. */
function AllRecords(props: AllRecordsProps) {
  const { domain, setting, records, isChecking, onCheck } = props
  if (records.error?.type === 'TRIAL') return <TrialNotice message={records.error.message} />
  if (records.isError && !records.data)
    return (
      <ErrorState
        title="Error loading the records"
        description={records.error.message}
        onRetry={() => records.refetch()}
      />
    )
  const provider = setting?.provider ?? null
  return (
    <>
      <ProviderAdvice domainName={domain.unicodeName} setting={setting} />
      <MainRecords {...props} />
      {records.data && <OptionalRecords {...{ domain, provider, isChecking, onCheck }} />}
      <RecordHistory domainId={domain._id} records={records.data ?? []} />
    </>
  )
}

/** The required records, and below them those for receiving mail. */
function MainRecords(props: AllRecordsProps) {
  const { domain, setting, hasChecked } = props
  const records = props.records.data
  const required = requiredOf(records ?? [])
  const recommended = (records ?? []).filter((record) => !record.required)
  return (
    <div className="grid gap-6">
      <RecordTable
        label="DNS records"
        records={records && required}
        placeholders={3}
        hasChecked={hasChecked}
        provider={setting?.provider ?? null}
        notes={notesFor(setting, required)}
      />
      {recommended.length > 0 && (
        <ReceivingMail
          domainName={domain.unicodeName}
          records={recommended}
          setting={setting}
          hasChecked={hasChecked}
        />
      )}
    </div>
  )
}

type OptionalRecordsProps = {
  domain: Domain
  provider: DnsProvider | null
  onCheck: () => void
  isChecking: boolean
}

/** Optional records, folded. Opening it makes the server create them. */
export function OptionalRecords(props: OptionalRecordsProps) {
  return (
    <section aria-label="Optional records" className="pb-2">
      <Disclosure label="Optional" className="ml-4 sm:ml-5">
        <OptionalTable {...props} />
      </Disclosure>
    </section>
  )
}

function OptionalTable({ domain, provider, onCheck, isChecking }: OptionalRecordsProps) {
  const [hasChecked, setHasChecked] = useState(false)
  const { data, error, refetch } = useOptionalRecords(domain._id)
  if (error && !data)
    return (
      <ErrorState
        title="Error loading the optional records"
        description={error.message}
        onRetry={() => refetch()}
      />
    )
  const check = () => {
    setHasChecked(true)
    onCheck()
  }
  return (
    <>
      <div className="grid justify-items-start gap-2 px-5 pt-1 pb-3 sm:px-6">
        {optionalReasons
          .map((reason) => reason(domain.unicodeName))
          .map((text) => (
            <p key={text} className="max-w-3xl text-pretty text-soft text-sm">
              {text}
            </p>
          ))}
        {data?.some(({ isVerified }) => isVerified !== true) && (
          <Button variant="secondary" size="small" isPending={isChecking} onClick={check}>
            Check optional records
          </Button>
        )}
      </div>
      <RecordTable
        label="Optional DNS records"
        records={data}
        placeholders={optionalPurposes.length}
        hasChecked={hasChecked}
        provider={provider}
      />
    </>
  )
}

type VerifyButtonsProps = {
  isVerified: boolean
  /** true: the records are loaded. */
  isReady: boolean
  isChecking: boolean
  onVerify: () => void
  onContinue: () => void
}

export function VerifyButtons(props: VerifyButtonsProps) {
  const { isVerified, isReady, isChecking, onVerify, onContinue } = props
  const continueButton = useFocusOnceTrue(isVerified, isReady)
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
        ref={continueButton}
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
 * When the records become right while the page is open, Continue takes the focus without scrolling. Not when the focus is in
 * a text field or a dialog. A layout effect: before the paint the disabled Verify button still has the focus.
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
