import type { DnsProvider } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { differenceOf } from './difference.ts'
import { DifferenceView } from './difference-view.tsx'
import { ProviderLink } from './provider-link.tsx'

/** What is merely missing is not brought up before it is asked for. */
export const isAdvised = (record: DnsRecord, hasAsked: boolean): boolean =>
  record.explanation !== '' &&
  (hasAsked || record.isVerified !== false || record.state === 'unknown')

type RecordAdviceProps = { record: DnsRecord; provider: DnsProvider | null }

/** What is wrong, how to mend it, and what was found. */
export function RecordAdvice({ record, provider }: RecordAdviceProps) {
  const { isVerified, explanation, fix } = record
  const tone = toneOf(record)
  return (
    <div
      className={cn(
        'wrap-anywhere grid grid-cols-1 gap-1.5 rounded-xl px-4 py-3 text-sm',
        washes[tone],
      )}
    >
      <p className={cn('font-medium', inks[tone])}>{explanation}</p>
      {fix && (
        <p>
          {fix}
          {isVerified === null && provider && (
            <>
              {' '}
              <ProviderLink provider={provider} />
            </>
          )}
        </p>
      )}
      {isVerified !== true && <Found record={record} />}
    </div>
  )
}

/** What is only recommended, or only a remark, alarms nobody. */
const toneOf = ({ isVerified, required, state, fix }: DnsRecord): 'bad' | 'warn' | 'quiet' => {
  if (isVerified === null) return required ? 'bad' : 'warn'
  if (state === 'unknown') return 'quiet'
  return isVerified && fix === '' ? 'quiet' : 'warn'
}

const washes = { bad: 'bg-bad-wash', warn: 'bg-warn-wash', quiet: 'bg-sunken' }
const inks = { bad: 'text-bad', warn: 'text-warn', quiet: 'text-ink' }

function Found({ record: { found, value } }: { record: DnsRecord }) {
  const [only] = found
  if (only === undefined) return null
  if (found.length === 1 && differenceOf(only, value) !== null)
    return <DifferenceView found={only} expected={value} />
  return (
    <div className="grid grid-cols-1 gap-1">
      <p className="text-soft text-xs">Found in DNS:</p>
      <ul className="grid grid-cols-1 gap-1">
        {found.map((text) => (
          <li key={text} className="font-mono text-xs">
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
