import { expect, test } from 'vitest'
import type { DomainOwnership, ReleasedDomain } from '#contract/dns/claims.ts'
import { issueText, releaseText } from './ownership-issues.tsx'

const at = (day: string) => `${day}T12:00:00.000Z`

const ownership = (of: Partial<DomainOwnership>): DomainOwnership => ({
  ...{ domainId: 'd', name: 'a.example', unicodeName: 'a.example' },
  ...{ mailboxes: 0, record: { name: '', value: '' } },
  ...{ claims: [], missing: null, ownClaim: null },
  ...of,
})

test('the first claim that would be granted comes before all else', () => {
  const claim = { _id: 'c', startedAt: at('2026-01-01'), isHolderProven: false }
  const claims = ['2026-03-09', '2026-03-08'].map((day) => ({ ...claim, decidesAt: at(day) }))
  expect(issueText(ownership({ claims }))).toBe(
    'Claimed by another workspace, and goes there on Mar 8, 2026 unless its record is back.',
  )
})

const gone = (of: Partial<ReleasedDomain>): ReleasedDomain => ({
  ...{ _id: 'r', name: 'a.example', unicodeName: 'a.example', reason: 'proof-missing' },
  ...{ releasedAt: at('2026-03-08'), mailboxes: 0 },
  ...of,
})

test('what went says whereto, and what went with it', () => {
  expect(releaseText(gone({ reason: 'claimed' }))).toBe(
    'Went to another workspace, which had claimed it, on Mar 8, 2026.',
  )
  expect(releaseText(gone({ mailboxes: 2 }))).toBe(
    'Released on Mar 8, 2026, since its ownership record stayed missing. Its mailboxes were deleted with their mail. It can be added again.',
  )
})
