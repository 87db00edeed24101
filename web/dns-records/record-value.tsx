import { useState } from 'react'
import type { DnsProvider } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { MAX_STRING_BYTES, quotedStrings, txtStrings } from './record-text.ts'

type RecordValueProps = { record: DnsRecord; provider: DnsProvider | null }

/** A value with its copy button. A long TXT value is shown whole or as strings, first in the form that the provider expects. */
export function RecordValue({ record, provider }: RecordValueProps) {
  const [chosen, choose] = useState<boolean | null>(null)
  const isLong = record.type === 'TXT' && record.value.length > MAX_STRING_BYTES
  // A found string of 255 bytes is a value that was pasted whole and cut: then the user needs the strings.
  const isCut = record.found.some((text) => text.length === MAX_STRING_BYTES)
  const wantsStrings = provider?.longValues === 'strings' || (isCut && record.isVerified === null)
  const isSplit = isLong && (chosen ?? wantsStrings)
  const text = isSplit ? quotedStrings(record.value) : record.value
  const limit = provider?.longestTxt ?? null
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex w-full items-start gap-1">
        <div className="min-w-0 wrap-anywhere flex-1 select-all py-1.5 font-mono text-xs">
          {isSplit ? <Strings value={record.value} /> : record.value}
        </div>
        <CopyButton text={text} label="Copy value" className="shrink-0" />
      </div>
      {record.type === 'SRV' && <ServiceFields value={record.value} />}
      {isLong && (
        <Button
          variant="link"
          size="inline"
          className="min-h-6 text-xs"
          aria-pressed={isSplit}
          onClick={() => choose(!isSplit)}
        >
          {isSplit ? 'Show in one piece' : 'Show in pieces of 255 characters'}
        </Button>
      )}
      {limit !== null && record.type === 'TXT' && text.length > limit && (
        <p className="text-warn text-xs">
          {provider?.name} takes at most {limit} characters here, and this value has {text.length}.
        </p>
      )}
    </div>
  )
}

/** Most forms have a field for each part of it. */
function ServiceFields({ value }: { value: string }) {
  const [priority, weight, port, target] = value.split(' ')
  return (
    <p className="wrap-anywhere text-soft text-xs">
      Priority {priority}, weight {weight}, port {port}, target {target}
    </p>
  )
}

/** Each string has its own copy button: some forms have a field for each. */
function Strings({ value }: { value: string }) {
  return txtStrings(value).map((part, at) => (
    <div key={part} className="mb-1.5 flex items-start gap-1 last:mb-0">
      <p className="min-w-0 flex-1 border-accent-ink/50 border-l-2 pl-2">"{part}" </p>
      <CopyButton text={part} label={`Copy string ${at + 1}`} className="-my-1.5 shrink-0" />
    </div>
  ))
}
