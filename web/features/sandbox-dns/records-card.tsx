import { Pencil, Plus, Server, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  addSandboxRecord,
  deleteSandboxRecord,
  type SandboxRecord,
  type SandboxZone,
} from '#contract/dns/sandbox.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { useZoneChange } from './use-zone.ts'

/** The records of the zone, as a DNS provider lists them. */
export function RecordsCard({ zone }: { zone: SandboxZone }) {
  const canManage = useCan('manage-domains')
  const [edited, setEdited] = useState<SandboxRecord | 'new' | null>(null)
  const remove = useRemove(zone._id)
  const columns = columnsWith(canManage, setEdited, remove)
  return (
    <Card className="@container overflow-hidden">
      <CardHeader
        title={`Records of ${zone.zone ?? zone.name}`}
        description={
          zone.zone === null
            ? 'No name server knows this domain, as if it were mistyped or had expired.'
            : `Name servers: ${zone.nameServers.join(', ')}`
        }
        aside={
          <Button variant="secondary" disabled={!canManage} onClick={() => setEdited('new')}>
            <Plus aria-hidden />
            Add record
          </Button>
        }
      />
      <DataTable
        label="Records of the zone"
        rows={zone.records}
        columns={columns}
        getRowId={(record) => record.id}
        empty={
          <EmptyState
            icon={Server}
            title="No record yet"
            description="Publish what Mailstead asks for, or add records by hand."
          />
        }
      />
      {edited !== null && (
        <RecordDialog
          zone={zone}
          record={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  )
}

function useRemove(id: string) {
  const remove = useZoneChange(deleteSandboxRecord, id)
  const add = useZoneChange(addSandboxRecord, id)
  return ({ id: recordId, host, type, value, priority, ttl }: SandboxRecord) =>
    remove.mutate(
      { params: { id, recordId } },
      {
        onSuccess: () =>
          toast({
            title: 'Record deleted',
            description: `${type} ${host}`,
            action: {
              label: 'Undo',
              run: () => add.mutate({ params: { id }, body: { host, type, value, priority, ttl } }),
            },
          }),
      },
    )
}

const shownValue = ({ value, priority }: SandboxRecord): string =>
  priority === null ? value : `${priority} ${value}`

const columnsWith = (
  canManage: boolean,
  onEdit: (record: SandboxRecord) => void,
  onDelete: (record: SandboxRecord) => void,
): readonly Column<SandboxRecord>[] => [
  {
    id: 'type',
    header: 'Type',
    className: 'w-20 align-top pt-4 @max-2xl:hidden',
    cell: ({ type }) => <Badge>{type}</Badge>,
  },
  {
    id: 'host',
    header: 'Host',
    className: 'min-w-44 @4xl:min-w-60 max-w-64 wrap-anywhere align-top pt-4 @max-2xl:hidden',
    cell: ({ host, name }) => (
      <span className="font-mono text-xs" title={name}>
        {host}
      </span>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    className: 'w-full align-top pt-4',
    cell: (record) => (
      <div className="grid gap-1.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 @2xl:hidden">
          <Badge>{record.type}</Badge>
          <span className="wrap-anywhere font-mono text-xs">{record.host}</span>
          <span className="text-soft text-xs">{record.ttl} s</span>
        </span>
        <span className="wrap-anywhere font-mono text-xs">{shownValue(record)}</span>
      </div>
    ),
  },
  {
    id: 'ttl',
    header: 'TTL',
    align: 'right',
    className: 'whitespace-nowrap tabular-nums align-top pt-4 @max-2xl:hidden',
    cell: ({ ttl }) => <span className="text-xs">{ttl} s</span>,
  },
  {
    id: 'action',
    header: 'Action',
    isHeaderHidden: true,
    className: 'w-24 whitespace-nowrap align-top',
    cell: (record) => (
      <div className="flex justify-end">
        <Button
          variant="quiet"
          size="iconSmall"
          disabled={!canManage}
          aria-label={`Edit ${record.type} ${record.host}`}
          onClick={() => onEdit(record)}
        >
          <Pencil aria-hidden />
        </Button>
        <Button
          variant="quiet"
          size="iconSmall"
          disabled={!canManage}
          aria-label={`Delete ${record.type} ${record.host}`}
          onClick={() => onDelete(record)}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
    ),
  },
]
