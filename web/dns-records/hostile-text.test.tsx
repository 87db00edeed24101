/** Text that strangers put into DNS never becomes markup of a page. */
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type DnsRecord, recordPurpose, recordState } from '#contract/domains.ts'
import { anyCharacter } from '#test-world/any-character.ts'
import { TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { HostFormProvider } from './host-switch.tsx'
import { RecordTable } from './record-table.tsx'

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>'],
        ...["' autofocus onfocus=alert(1) x='", '</td></table><form>', '<!--', ']]>', '&lt;b&gt;'],
        ...['javascript:alert(1)', '{{7*7}}', '\u2028', '\u202e', 'v=spf1 ', 'p='],
      ),
      fc.string({ unit: anyCharacter, maxLength: 300 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const sighting = fc.record({
  server: hostile,
  state: fc.constantFrom(...recordState.options),
  values: fc.array(hostile, { maxLength: 2 }),
  reason: hostile,
  latencyMs: fc.nat(),
  ttlSeconds: fc.nat(),
})

const record: fc.Arbitrary<DnsRecord> = fc
  .record({
    name: hostile,
    value: hostile,
    state: fc.constantFrom(...recordState.options),
    purpose: fc.constantFrom(...recordPurpose.options),
    isVerified: fc.constantFrom(true, false, null),
    found: fc.array(hostile, { maxLength: 3 }),
    explanation: hostile,
    fix: hostile,
    published: fc.array(sighting, { maxLength: 2 }),
    visible: fc.array(sighting, { maxLength: 2 }),
  })
  .map(({ published, visible, ...rest }) => ({
    ...{ ttl: 3600, type: 'TXT', priority: null, required: true },
    ...{ checkedAt: '2026-11-21T12:00:00.000Z', nextCheckAt: null, changedAt: null },
    ...{ verifiedAt: null, uncheckedSince: null },
    ...rest,
    sightings: { zone: rest.name, published, visible },
  }))

const drawn = (given: DnsRecord): string =>
  renderToStaticMarkup(
    <TooltipProvider>
      <HostFormProvider domainName="shop.example" setting={undefined}>
        <RecordTable
          label="Records"
          records={[given]}
          placeholders={1}
          hasChecked
          provider={null}
        />
      </HostFormProvider>
    </TooltipProvider>,
  )

const [plain] = fc.sample(record, 1)

test('whatever text a record holds, the page has no other elements and handlers than its own', () => {
  if (!plain) throw new Error('no sample')
  // It is shown as text.
  const found = ['<script>alert(1)</script>']
  expect(drawn({ ...plain, found, isVerified: null })).toContain('&lt;script&gt;alert(1)')
  fc.assert(
    fc.property(record, (given) => {
      const html = drawn(given).replace(/="[^"]*"/g, '=""')
      expect(html).not.toMatch(/<\/?(?:script|img|iframe|form|style|link|base|object|embed|b)\b/i)
      expect(html).not.toMatch(/<[^>]*\s(?:on\w+|autofocus|srcdoc)\b/i)
      expect(html).not.toContain('<!--')
      for (const [, address = ''] of drawn(given).matchAll(/\s(?:href|src|action)="([^"]*)"/g))
        expect(address).toMatch(/^(?:\/|#|https:\/\/)/)
    }),
    { numRuns: 60 },
  )
})
