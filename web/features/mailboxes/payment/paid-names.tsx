import type { Mailbox } from '#contract/mailboxes.ts'
import { formatCount } from '#web/lib/format.ts'
import { shownAddress, shownHost } from '#web/lib/spelling/shown-host.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'

const DOMAINS_SHOWN = 3

/** '5 of hotel.example, 2 of bakery.example': those with the most first. */
export function domainsOf(mailboxes: readonly Pick<Mailbox, 'domain'>[]): string {
  const counts = new Map<string, number>()
  for (const { domain } of mailboxes) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  const more = sorted.length - DOMAINS_SHOWN
  const shown = sorted
    .slice(0, DOMAINS_SHOWN)
    .map(([domain, count]) => `${formatCount(count)} of ${shownHost(domain)}`)
  const others =
    more > 0
      ? [`others of ${more === 1 ? '1 more domain' : `${formatCount(more)} more domains`}`]
      : []
  return [...shown, ...others].join(', ')
}

/** Every address that is paid for, folded. */
export function PaidNames({ mailboxes }: { mailboxes: readonly Mailbox[] }) {
  return (
    <div className="mt-3">
      <Disclosure label={`Show all ${formatCount(mailboxes.length)} addresses`}>
        <ScrollRegion label="Addresses" className="mt-1 max-h-40 rounded-xl bg-sunken px-3 py-2">
          <ul className="text-sm">
            {mailboxes.map(({ _id, email }) => (
              <li key={_id} className="wrap-anywhere py-0.5">
                {shownAddress(email)}
              </li>
            ))}
          </ul>
        </ScrollRegion>
      </Disclosure>
    </div>
  )
}
