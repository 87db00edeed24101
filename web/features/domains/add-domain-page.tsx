/**
 * The wizard: adds a domain, proves its ownership and shows the records to publish. `?id=` opens an existing domain at step 2.
 */
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { type Domain, getDomain } from '#contract/domains.ts'
import { getInstallation } from '#contract/installation.ts'
import { HostFormProvider } from '#web/dns-records/host-switch.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { useHistoryState } from '#web/lib/history-state.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Stepper } from '#web/ui/data/stepper.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { OwnershipNotices, useDomainOwnership } from './claim/ownership-notices.tsx'
import { DeleteDomainButton } from './delete-domain-dialog.tsx'
import { SendLinkButton } from './dns-link/send-link.tsx'
import { ManagersOnly, UnreadableDomain } from './domain-refusals.tsx'
import { SandboxLink } from './sandbox-link.tsx'
import { DomainAddedStep, DomainNameStep } from './wizard/domain-name-step.tsx'
import { FinishStep } from './wizard/finish-step.tsx'
import {
  ADD,
  FINISH,
  limitStep,
  navigateTo,
  type Progress,
  STEPS,
  stepFromHistory,
  VERIFY_DNS,
  VERIFY_DOMAIN,
} from './wizard/step-panel.tsx'
import {
  loadRecords,
  requiredOf,
  useDnsRecords,
  useDnsSetting,
  useOwnership,
} from './wizard/use-records.ts'
import { VerifyDnsStep } from './wizard/verify-dns-step.tsx'
import { VerifyDomainStep } from './wizard/verify-domain-step.tsx'

export function AddDomainPage() {
  usePageTitle('Add Domain')
  const [query] = useSearchParams()
  const id = query.get('id') || null
  const canManage = useCan('manage-domains')
  // Loads the domain only when the role of this member is known.
  const isKnown = useIsRoleKnown()
  if (!canManage || (id !== null && !isKnown))
    return (
      <div className="grid gap-6">
        <PageHeading title={id === null ? 'Add Domain' : 'Domain'} />
        {canManage ? <LoadingStep /> : <ManagersOnly />}
      </div>
    )
  // Another domain starts the steps anew.
  return <Wizard key={id ?? ''} id={id} />
}

export const loadAddDomain: LoadPage = ({ ask, query }) => {
  const id = query.get('id')
  return Promise.all([ask(getInstallation, {}), id && loadRecords(ask, id)])
}

function Wizard({ id }: { id: string | null }) {
  const domain = useApi(getDomain, { params: { id: id ?? '' } }, { enabled: id !== null })
  const ownership = useOwnership(id)
  const records = useDnsRecords(id)
  const setting = useDnsSetting(id)
  const ownershipStatus = useDomainOwnership(id)
  const required = requiredOf(records.data ?? [])
  const wizard = useWizardStep(id, {
    isKnown: !ownership.isPending && !records.isPending,
    hasDomain: id !== null,
    isOwned: ownership.data?.isVerified === true,
    isDnsVerified: required.length > 0 && required.every((record) => record.isVerified === true),
  })
  const isMissing = domain.error?.type === 'NOT_EXISTS'
  const knownDomain = isMissing ? undefined : domain.data
  return (
    <div className="grid gap-6 max-sm:gap-4">
      <PageHeading
        title={id === null ? 'Add Domain' : (knownDomain?.unicodeName ?? 'Domain')}
        {...(id === null && { subtitle: 'In four steps' })}
        actions={
          knownDomain && (
            <StepLinks className="max-sm:hidden" domain={knownDomain} step={wizard.step} />
          )
        }
      />
      {!isMissing && (
        <Stepper
          aria-label="Steps"
          steps={STEPS}
          current={wizard.step}
          onStep={wizard.goTo}
          // In a narrow window the stepper has no room for names; the heading of the step shows it.
          className="[&>p]:hidden"
        />
      )}
      {wizard.isSettled && !isMissing && ownershipStatus.data && (
        <OwnershipNotices ownership={ownershipStatus.data} />
      )}
      {id === null ? (
        <DomainNameStep takesFocus={wizard.isByClick} onAdded={wizard.goToAdded} />
      ) : domain.error && (isMissing || !domain.data) ? (
        <UnreadableDomain error={domain.error} onRetry={() => domain.refetch()} />
      ) : domain.data === undefined || !wizard.isSettled || ownershipStatus.isPending ? (
        <LoadingStep />
      ) : (
        <HostFormProvider domainName={domain.data.name} setting={setting ?? undefined}>
          <Step
            step={wizard.step}
            domain={domain.data}
            setting={setting}
            ownership={ownership}
            records={records}
            takesFocus={wizard.isByClick}
            onStep={wizard.goTo}
          />
        </HostFormProvider>
      )}
      {knownDomain && (
        <div className="flex flex-wrap items-center gap-2">
          <StepLinks className="sm:hidden" domain={knownDomain} step={wizard.step} />
          <DeleteDomainButton domain={knownDomain} />
        </div>
      )}
    </div>
  )
}

/** The step that is shown. It is kept in the history entry, so that back and reload return to it. */
function useWizardStep(id: string | null, progress: Progress & { isKnown: boolean }) {
  const navigate = useNavigate()
  const location = useLocation()
  const [firstKey] = useState(location.key)
  const state = useHistoryState()
  const stepInHistory = stepFromHistory(state)
  const isKnown = progress.isKnown && state !== undefined
  const requestedStep = id === null ? ADD : (stepInHistory ?? VERIFY_DOMAIN)
  const isSettled = requestedStep <= VERIFY_DOMAIN || progress.isKnown
  const step =
    useFirst(location.key, isKnown ? limitStep(requestedStep, progress) : null) ?? requestedStep
  return {
    step,
    isSettled,
    /** true when a click led to this step, not opening the page: then its heading takes the focus. */
    isByClick: stepInHistory !== null || location.key !== firstKey,
    goTo: (target: number) => {
      const outcome = navigateTo(target, step, progress)
      if (outcome === null) return
      if ('refusal' in outcome) toast({ title: outcome.refusal })
      else if (outcome.step !== step)
        void navigate(paths.addDomain({ id: id ?? '' }), { state: { step: outcome.step } })
    },
    goToAdded: ({ _id }: Domain) =>
      navigate(paths.addDomain({ id: _id }), { replace: true, state: { step: VERIFY_DOMAIN } }),
  }
}

/** Returns the first value at this history entry: a record verified or lost later does not change the step. */
function useFirst<T>(place: string, value: T | null): T | null {
  const [first, setFirst] = useState<{ place: string; value: T } | null>(null)
  if (first?.place === place) return first.value
  if (value !== null) setFirst({ place, value })
  return value
}

type StepLinksProps = { className: string; domain: Domain; step: number }

/** Beside the heading; on a phone below the record, which matters most. */
function StepLinks({ className, domain, step }: StepLinksProps) {
  return (
    <div className={cn('flex flex-wrap items-center gap-2', className)}>
      <SandboxLink id={domain._id} step={step} />
      <Button variant="secondary" asChild>
        <Link to={paths.domain(domain._id)}>Open its page</Link>
      </Button>
      <SendLinkButton domain={domain} />
    </div>
  )
}

type StepProps = {
  step: number
  domain: Domain
  setting: ReturnType<typeof useDnsSetting>
  ownership: ReturnType<typeof useOwnership>
  records: ReturnType<typeof useDnsRecords>
  takesFocus: boolean
  onStep: (step: number) => void
}

function Step({ step, domain, setting, ownership, records, takesFocus, onStep }: StepProps) {
  const shared = { domain, takesFocus }
  if (step === ADD)
    return (
      <DomainAddedStep {...shared} setting={setting} onContinue={() => onStep(VERIFY_DOMAIN)} />
    )
  if (step === VERIFY_DOMAIN)
    return (
      <VerifyDomainStep
        {...shared}
        setting={setting}
        ownership={ownership}
        onContinue={() => onStep(VERIFY_DNS)}
      />
    )
  if (step === FINISH && ownership.data && records.data)
    return <FinishStep {...shared} ownership={ownership.data} records={records.data} />
  return (
    <VerifyDnsStep
      {...shared}
      setting={setting}
      records={records}
      onContinue={() => onStep(FINISH)}
    />
  )
}

function LoadingStep() {
  return (
    <Card className="grid gap-4 p-6">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-4 w-full max-w-xl" />
      <Skeleton className="mt-4 h-24 w-full" />
    </Card>
  )
}
