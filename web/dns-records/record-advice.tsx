import { ExternalLink, Server } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DnsProvider, DnsSetting } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { comparableIn, DifferenceView, differenceOf } from './difference.tsx'

/** A missing record gets advice only after the user pressed Verify. */
export const isAdvised = (record: DnsRecord, hasChecked: boolean): boolean =>
  record.explanation !== '' &&
  (hasChecked || record.isVerified !== false || record.state === 'unknown')

type RecordAdviceProps = { record: DnsRecord; provider: DnsProvider | null }

/** What is wrong, how to fix it, and what was found. */
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

/** Link to the DNS page of the provider. */
export function ProviderLink({ provider }: { provider: DnsProvider }) {
  return (
    <a
      href={provider.url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 items-center gap-1 whitespace-nowrap font-medium text-accent-ink text-sm underline-offset-4 hover:underline"
    >
      Open DNS at {provider.name}
      <ExternalLink className="size-3.5" aria-hidden />
      <span className="sr-only">(new tab)</span>
    </a>
  )
}

/** Recommended records and remarks are not shown as errors. */
const toneOf = (record: DnsRecord): 'bad' | 'warn' | 'quiet' => {
  const { isVerified, required, state, fix } = record
  if (isVerified === null) return required ? 'bad' : 'warn'
  if (state === 'unknown') return 'quiet'
  // The record is right and is spreading: nothing to fix.
  const isOnItsWay = record.sightings?.visible.some((sighting) => sighting.state !== 'verified')
  return isVerified && (fix === '' || isOnItsWay) ? 'quiet' : 'warn'
}

const washes = { bad: 'bg-bad-wash', warn: 'bg-warn-wash', quiet: 'bg-sunken' }
const inks = { bad: 'text-bad', warn: 'text-warn', quiet: 'text-ink' }

const SHORT_VALUE_LENGTH = 40

function Found({ record }: { record: DnsRecord }) {
  const { found, value } = record
  const [first, ...others] = found
  const isOne = first !== undefined && others.length === 0
  const compared = isOne ? comparableIn(first, record.type) : null
  if (compared !== null && differenceOf(compared, value) !== null)
    return <DifferenceView found={compared} expected={value} />
  // A short value is shown whole in the column 'Found now'.
  if (first === undefined || (isOne && first.length <= SHORT_VALUE_LENGTH)) return null
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

type ProviderAdviceProps = {
  domainName: string
  /** `undefined` while loading, null when it could not be loaded. */
  setting: DnsSetting | null | undefined
}

const frame = 'mx-5 mb-5 rounded-xl border border-line px-4 py-3.5 text-sm sm:mx-6'

/** Where to enter the records, and what the provider's form expects. Folded on a phone, where the records come first. */
export function ProviderAdvice({ domainName, setting }: ProviderAdviceProps) {
  if (setting === null) return null
  if (setting === undefined)
    return (
      <div aria-hidden className={cn(frame, 'grid gap-3')}>
        <Skeleton className="h-4 w-64 max-w-full" />
        <Skeleton className="h-9 w-full max-w-xl" />
      </div>
    )
  const { provider, nameServers, zone } = setting
  const details = provider ? (
    <Form provider={provider} zone={zone ?? domainName} />
  ) : (
    <p className="text-pretty text-soft">
      Most providers add the domain to the host. If yours does not, choose the full host names.
    </p>
  )
  return (
    <section aria-label="Where the records are entered" className={cn(frame, 'grid gap-3')}>
      <div className="flex gap-3">
        <Server className="mt-0.5 size-4 shrink-0 text-accent-ink" aria-hidden />
        <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <p className="min-w-0 wrap-anywhere">
            <span className="font-medium">
              {provider
                ? `The DNS of ${zone ?? domainName} is at ${provider.name}.`
                : 'Enter the records where your DNS is hosted.'}
            </span>{' '}
            <span className="text-soft max-sm:hidden">{listServers(nameServers)}</span>
          </p>
          {provider && <ProviderLink provider={provider} />}
        </div>
      </div>
      <div className="grid gap-3 max-sm:hidden sm:pl-7">{details}</div>
      <div className="-my-1.5 sm:hidden">
        <Disclosure label="How to enter them" className="-ml-1">
          <div className="grid gap-3 py-2">{details}</div>
        </Disclosure>
      </div>
    </section>
  )
}

const MAX_SERVERS = 4

const listServers = (servers: readonly string[]): string => {
  if (servers.length === 0) return 'No name server of the domain was found yet.'
  const more = servers.length - MAX_SERVERS
  const named = servers.slice(0, MAX_SERVERS).join(', ')
  return `Name servers: ${named}${more > 0 ? ` and ${more} more` : ''}`
}

function Form({ provider, zone }: { provider: DnsProvider; zone: string }) {
  const { hostLabel, appendsDomain, longestTxt, longValues, hint } = provider
  return (
    <div className="@container grid gap-3">
      <dl className="grid @min-[34rem]:grid-cols-3 gap-x-8 gap-y-2">
        <Fact term="Field for the host">{hostLabel}</Fact>
        <Fact term="Host to enter">
          {appendsDomain ? `Short: the provider adds .${zone}` : 'Full: the provider adds nothing'}
        </Fact>
        <Fact term="Long values">
          {longValues === 'strings' ? 'In pieces of 255 characters' : 'In one piece'}
          {longestTxt === null ? ', no limit published' : `, at most ${longestTxt} characters`}
        </Fact>
      </dl>
      <p className="text-pretty text-soft max-sm:text-xs">{hint}</p>
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 @min-[34rem]:grid-cols-1 grid-cols-[7rem_1fr] content-start items-baseline">
      <dt className="text-soft text-xs">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
