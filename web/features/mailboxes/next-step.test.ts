import { expect, test } from 'vitest'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { waitingForPeople } from './next-step.tsx'

type State = ListedMailbox['access']['state']

const row = (_id: string, state: State, status: ListedMailbox['status'] = 'active') =>
  ({ _id, status, access: { state } }) as ListedMailbox

const waiting = (rows: ListedMailbox[], paid: string[] = []) =>
  waitingForPeople(rows, new Set(paid)).map(({ _id }) => _id)

test('the next step is about a workspace in which most have no access, or about what was just paid', () => {
  expect(waiting([row('a', 'none'), row('b', 'none'), row('c', 'none', 'inactive')])).toEqual([
    ...['a', 'b'],
  ])
  expect(waiting([row('a', 'none'), row('b', 'none'), row('c', 'link')])).toEqual(['a', 'b'])
  const rows = [row('a', 'holder'), row('b', 'none'), row('c', 'none'), row('d', 'link')]
  expect(waiting(rows)).toEqual([])
  expect(waiting(rows, ['a', 'b', 'd'])).toEqual(['b'])
  expect(waiting([])).toEqual([])
})
