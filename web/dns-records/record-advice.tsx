import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'

type RecordAdviceProps = {
  record: DnsRecord
  hasAsked: boolean
  columns: number
  rowRole: object
  cellRole: object
}

/** What is wrong, what was found and how to mend it. What is merely missing is not brought up before it is asked for. */
export function RecordAdvice({ record, hasAsked, columns, rowRole, cellRole }: RecordAdviceProps) {
  const isWrong = record.isVerified === null
  const isAlarming = isWrong && record.required
  const isTold = record.isVerified !== true && (isWrong || hasAsked) && record.explanation !== ''
  if (!isTold) return null
  return (
    <tr {...rowRole} className="block xl:table-row">
      <td
        {...cellRole}
        colSpan={columns}
        className="block px-5 pt-3 sm:px-6 xl:table-cell xl:pt-0 xl:pb-4"
      >
        <div
          className={cn(
            'wrap-anywhere grid grid-cols-1 gap-1.5 rounded-xl px-4 py-3 text-sm',
            isAlarming ? 'bg-bad-wash' : 'bg-warn-wash',
          )}
        >
          <p className={cn('font-medium', isAlarming ? 'text-bad' : 'text-warn')}>
            {record.explanation}
          </p>
          {record.found.length > 0 && (
            <div className="grid grid-cols-1 gap-1">
              <p className="text-soft text-xs">Found in DNS:</p>
              <ul className="grid grid-cols-1 gap-1">
                {record.found.map((value) => (
                  <li key={value} className="font-mono text-xs">
                    {value}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {record.fix && <p>{record.fix}</p>}
        </div>
      </td>
    </tr>
  )
}
