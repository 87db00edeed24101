import { CircleCheckBig } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { DnsRecord, Domain } from '#contract/domains.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { StepPanel } from './step-panel.tsx'

type FinishStepProps = {
  domain: Domain
  ownership: DnsRecord
  records: readonly DnsRecord[]
  takesFocus: boolean
}

/** Step 4: the result, and what to do next. */
export function FinishStep({ domain, ownership, records, takesFocus }: FinishStepProps) {
  const navigate = useNavigate()
  const isReceiving = records
    .filter((record) => record.purpose === 'mx')
    .every((record) => record.isVerified === true)
  return (
    <StepPanel
      title="Domain Verified"
      description={`${domain.unicodeName} is ready: mail sent from it is signed, and it can take mailboxes.`}
      takesFocus={takesFocus}
      buttons={
        <>
          <Button variant="secondary" onClick={() => navigate(paths.domains())}>
            Finish
          </Button>
          <Button
            variant="secondary"
            onClick={() => navigate(paths.newMailbox({ domain: domain.name, from: 'list' }))}
          >
            Add people from a list
          </Button>
          <Button onClick={() => navigate(paths.newMailbox({ domain: domain.name }))}>
            Add mail box
          </Button>
        </>
      }
    >
      {!isReceiving && (
        <p className="mx-5 mb-4 rounded-xl bg-warn-wash px-4 py-3 text-sm text-warn sm:mx-6">
          Mail for this domain does not arrive here yet: publish its MX record in the step before,
          when its mailboxes are there.
        </p>
      )}
      <div className="flex gap-4 px-5 pb-6 max-sm:flex-col sm:px-6">
        <span className="grid size-12 shrink-0 place-items-center rounded-2xl bg-good-wash text-good">
          <CircleCheckBig className="size-6" aria-hidden />
        </span>
        <dl className="grid min-w-0 flex-1 gap-3 rounded-xl border border-line p-4 text-sm">
          <Row term="Name" text={domain.unicodeName} />
          <Row term="Value" text={ownership.value} isCode />
        </dl>
      </div>
    </StepPanel>
  )
}

function Row({ term, text, isCode = false }: { term: string; text: string; isCode?: boolean }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 sm:grid-cols-[5rem_1fr_auto]">
      <dt className="text-soft max-sm:col-span-2">{term}</dt>
      <dd className={isCode ? 'break-all font-mono text-xs' : 'wrap-anywhere font-medium'}>
        {text}
      </dd>
      <dd>
        <CopyButton text={text} label={`Copy ${term.toLowerCase()}`} />
      </dd>
    </div>
  )
}
