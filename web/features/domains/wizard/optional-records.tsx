import { useState } from 'react'
import type { DnsProvider } from '#contract/dns/setting.ts'
import type { Domain } from '#contract/domains.ts'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { useOptionalRecords } from './use-records.ts'

type OptionalRecordsProps = {
  domain: Domain
  provider: DnsProvider | null
  onCheck: () => void
  isChecking: boolean
}

/** What nobody has to publish, folded. The second key is made when somebody opens this. */
export function OptionalRecords(props: OptionalRecordsProps) {
  return (
    <section aria-label="Optional records" className="pb-2">
      <Disclosure label="Optional" className="ml-4 sm:ml-5">
        <SecondKey {...props} />
      </Disclosure>
    </section>
  )
}

function SecondKey({ domain, provider, onCheck, isChecking }: OptionalRecordsProps) {
  const [hasAsked, setHasAsked] = useState(false)
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
    setHasAsked(true)
    onCheck()
  }
  return (
    <>
      <div className="grid justify-items-start gap-2 px-5 pt-1 pb-3 sm:px-6">
        <p className="max-w-3xl text-pretty text-soft text-sm">
          A second DKIM key of a newer kind (Ed25519). Once it is published, mail of{' '}
          {domain.unicodeName} is signed with both keys; everything works without it.
        </p>
        {data?.some(({ isVerified }) => isVerified !== true) && (
          <Button variant="secondary" size="small" isPending={isChecking} onClick={check}>
            Check optional records
          </Button>
        )}
      </div>
      <RecordTable
        label="Optional DNS records"
        records={data}
        placeholders={1}
        hasAsked={hasAsked}
        provider={provider}
      />
    </>
  )
}
