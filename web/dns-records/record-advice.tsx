import type { DnsProvider } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { comparableIn, differenceOf } from './difference/difference.ts'
import { DifferenceView } from './difference/difference-view.tsx'
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
const toneOf = (record: DnsRecord): 'bad' | 'warn' | 'quiet' => {
  const { isVerified, required, state, fix } = record
  if (isVerified === null) return required ? 'bad' : 'warn'
  if (state === 'unknown') return 'quiet'
  // Right, and on its way: there is nothing to mend.
  const isOnItsWay = record.sightings?.visible.some((sighting) => sighting.state !== 'verified')
  return isVerified && (fix === '' || isOnItsWay) ? 'quiet' : 'warn'
}

const washes = { bad: 'bg-bad-wash', warn: 'bg-warn-wash', quiet: 'bg-sunken' }
const inks = { bad: 'text-bad', warn: 'text-warn', quiet: 'text-ink' }

const SHORT = 40

function Found({ record }: { record: DnsRecord }) {
  const { found, value } = record
  const [first, ...others] = found
  const isOne = first !== undefined && others.length === 0
  const compared = isOne ? comparableIn(first, record.type) : null
  if (compared !== null && differenceOf(compared, value) !== null)
    return <DifferenceView found={compared} expected={value} />
  // The column 'Found now' has it whole.
  if (first === undefined || (isOne && first.length <= SHORT)) return null
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
