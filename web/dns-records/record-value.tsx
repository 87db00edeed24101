import { useState } from 'react'
import type { DnsRecord } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { MAX_STRING_BYTES, quotedStrings, txtStrings } from './record-text.ts'

/** A value with its copy button. A long TXT value is shown whole or in strings, since providers differ. */
export function RecordValue({ record }: { record: DnsRecord }) {
  const [isSplit, setIsSplit] = useState(false)
  const isLong = record.type === 'TXT' && record.value.length > MAX_STRING_BYTES
  const text = isSplit ? quotedStrings(record.value) : record.value
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex w-full items-start gap-1">
        <div className="min-w-0 wrap-anywhere flex-1 select-all py-1.5 font-mono text-xs">
          {isSplit
            ? txtStrings(record.value).map((part) => (
                <p key={part} className="mb-1.5 border-accent-ink/50 border-l-2 pl-2 last:mb-0">
                  "{part}"{' '}
                </p>
              ))
            : record.value}
        </div>
        <CopyButton text={text} label="Copy value" className="shrink-0" />
      </div>
      {isLong && (
        <Button
          variant="link"
          size="inline"
          className="min-h-6 text-xs"
          aria-pressed={isSplit}
          onClick={() => setIsSplit(!isSplit)}
        >
          {isSplit ? 'Show whole' : 'Show in 255-byte strings'}
        </Button>
      )}
    </div>
  )
}
