import { expect, test } from 'vitest'
import { type DomainSteps, isFinished, mailWorks } from '#contract/first-steps.ts'
import { nextOf } from '#web/ui/data/step-list.tsx'
import { stepsOf } from './domain-steps.ts'

const at = '2026-01-08T00:00:00.000Z'
const working: DomainSteps = {
  ...{ _id: '1', unicodeName: 'a.example', isMailOurs: true, mailTo: 'mail.us.example' },
  ...{ mailboxes: 5, inUse: 5, linksOut: 0, unpaid: 0, cameAt: at, wentAt: at },
  ...{ addresses: ['a@a.example', 'b@a.example', 'c@a.example'], hasCatchAll: false },
  worksSeen: false,
}

test('the steps are done exactly when mail works', () => {
  expect(isFinished(working)).toBe(true)
  expect(stepsOf(working).every(({ isDone }) => isDone)).toBe(true)
  const lacks: Partial<DomainSteps>[] = [
    ...[{ isMailOurs: false }, { mailboxes: 0, inUse: 0 }, { inUse: 4 }, { unpaid: 1 }],
    ...[{ cameAt: null }, { wentAt: null }],
  ]
  for (const lack of lacks) {
    const domain = { ...working, ...lack }
    expect(isFinished(domain), JSON.stringify(lack)).toBe(false)
    expect(
      stepsOf(domain).some(({ isDone }) => !isDone),
      JSON.stringify(lack),
    ).toBe(true)
  }
})

test('mail works before all of its people have looked, and not while another server receives it', () => {
  expect(mailWorks({ ...working, inUse: 1, unpaid: 2 })).toBe(true)
  for (const lack of [{ isMailOurs: false }, { cameAt: null }, { wentAt: null }])
    expect(mailWorks({ ...working, ...lack })).toBe(false)
})

test('a step says where the domain stands', () => {
  const domain = { ...working, isMailOurs: false, mailTo: 'Google Workspace', inUse: 0, unpaid: 2 }
  const texts = stepsOf(domain).map(({ title, description }) => `${title}: ${description}`)
  expect(texts).toContain(
    'Move receiving here: New mail goes to Google Workspace. After the move a@a.example, b@a.example, c@a.example and 2 more get it here, and mail to an address without a mailbox is refused.',
  )
  expect(texts).toContain('Give people access: 0 of 5 mailboxes are in use.')
  expect(texts).toContain('Pay for 2 mailboxes: Until then mail to them is refused.')
})

test('a catch-all, a single mailbox and an empty domain are told as they are', () => {
  const moving = (change: Partial<DomainSteps>) =>
    stepsOf({ ...working, isMailOurs: false, mailTo: null, ...change }).find(
      ({ title }) => title === 'Move receiving here',
    )?.description
  expect(moving({ mailboxes: 1, addresses: ['a@a.example'], hasCatchAll: true })).toBe(
    'No server receives its mail. After the move a@a.example gets it here, and the catch-all gets mail to any other address.',
  )
  expect(moving({ mailboxes: 0, addresses: [] })).toBe('No server receives its mail.')
})

test('when every link is out, the access waits for the people and the step after it is the next', () => {
  const steps = (change: Partial<DomainSteps>) =>
    stepsOf({ ...working, isMailOurs: false, wentAt: null, ...change })
  const accessOf = (change: Partial<DomainSteps>) =>
    steps(change).find(({ title }) => title === 'Give people access')
  const some = { inUse: 2, linksOut: 1 }
  expect(nextOf(steps(some))?.title).toBe('Give people access')
  expect(accessOf(some)?.description).toBe(
    '2 of 5 mailboxes are in use, and 1 link waits for its person.',
  )
  expect(accessOf({ inUse: 1 })?.description).toBe('1 of 5 mailboxes is in use.')
  expect(accessOf(some)?.path).toContain('access=none')
  const all = { inUse: 2, linksOut: 3 }
  expect(nextOf(steps(all))?.title).toBe('Move receiving here')
  expect(accessOf(all)?.description).toBe(
    '2 of 5 mailboxes are in use, and 3 links wait for their people.',
  )
  expect(accessOf(all)?.path).toContain('access=link')
  // Nothing else is left, so the wait is what is next.
  expect(nextOf(stepsOf({ ...working, ...all }))?.title).toBe('Give people access')
  expect(nextOf(stepsOf(working))).toBeUndefined()
})
