import type { UseMutationResult } from '@tanstack/react-query'
import { publishAll, type SandboxZone } from '#contract/dns/sandbox.ts'
import {
  type DnsRecord,
  getOwnershipRecord,
  listDnsRecords,
  type RecordPurpose,
  recordStatus,
  verifyDns,
  verifyOwnership,
} from '#contract/domains.ts'
import { purposeNames } from '#web/dns-records/record-text.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Badge, Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useZoneChange } from './use-zone.ts'

const tones = { Verified: 'good', Pending: 'warn', Failed: 'bad' } as const

/** The records that Mailstead asks for: whether the zone has them, and the result of the last check. */
export function AskedCard({ zone }: { zone: SandboxZone }) {
  const canManage = useCan('manage-domains')
  const publish = useZoneChange(publishAll, zone._id)
  const said = useSaid(zone._id)
  const check = useCheck(zone._id)
  const isWhole = zone.asked.every(({ isPublished }) => isPublished)
  return (
    <Card>
      <CardHeader
        title="What Mailstead asks for"
        description="And what its last check found."
        aside={
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              disabled={!canManage}
              isPending={check.isPending}
              onClick={check.start}
            >
              Check now
            </Button>
            <Button
              disabled={!canManage}
              isPending={publish.isPending}
              onClick={() => publish.mutate({ params: { id: zone._id } })}
            >
              Publish all as asked
            </Button>
          </div>
        }
      />
      <p role="status" className="sr-only">
        {isWhole ? 'All records are published' : ''}
      </p>
      <ul aria-label="Records that are asked for" className="border-line border-t">
        {zone.asked.map((record) => (
          <li
            key={record.purpose}
            className="grid gap-1.5 border-line border-b px-5 py-3 last:border-b-0"
          >
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <span className="w-24 font-medium text-sm">{purposeNames[record.purpose]}</span>
              <Badge tone={record.isPublished ? 'accent' : 'neutral'}>
                {record.isPublished ? 'Published' : 'Not published'}
              </Badge>
              <Said record={said.get(record.purpose)} />
              <span className="wrap-anywhere min-w-0 font-mono text-soft text-xs">
                {record.type} {record.name}
              </span>
            </div>
            <Sentences record={said.get(record.purpose)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Said({ record }: { record: DnsRecord | undefined }) {
  if (record === undefined) return null
  const status = recordStatus(record.isVerified)
  return <Status tone={tones[status]}>{status}</Status>
}

function Sentences({ record }: { record: DnsRecord | undefined }) {
  if (!record?.explanation) return null
  return (
    <p className="wrap-anywhere max-w-3xl text-sm">
      {record.explanation} <span className="text-soft">{record.fix}</span>
    </p>
  )
}

function useSaid(id: string): ReadonlyMap<RecordPurpose, DnsRecord> {
  const ownership = useApi(getOwnershipRecord, { params: { id } })
  const others = useApi(listDnsRecords, { params: { id } })
  const all = [...(ownership.data ? [ownership.data] : []), ...(others.data ?? [])]
  return new Map(all.map((record) => [record.purpose, record]))
}

type Verifying = Pick<UseMutationResult, 'isPending'>

/** Checks like the buttons of the wizard: first the ownership record, then the others. */
function useCheck(id: string) {
  const onError = (error: { message: string }) => toastError(error.message)
  const rest = useCall(verifyDns, {
    // Before the ownership is proven there is nothing more to check.
    onError: (error) => error.type !== 'DOMAIN_NOT_VERIFIED' && onError(error),
  })
  const proof = useCall(verifyOwnership, {
    onSuccess: () => rest.mutate({ params: { id } }),
    onError,
  })
  const both: Verifying[] = [proof, rest]
  return {
    isPending: both.some(({ isPending }) => isPending),
    start: () => proof.mutate({ params: { id } }),
  }
}
