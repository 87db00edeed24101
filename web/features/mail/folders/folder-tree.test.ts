import { expect, test } from 'vitest'
import type { Folder } from '#contract/messages.ts'
import { placeInTree } from './folder-nav.tsx'
import { consequenceOf } from './own-folders.tsx'

const folder = (name: string, messages = 0, role: Folder['role'] = null): Folder => ({
  ...{ _id: name, name, role, messages, unread: 0 },
})

test('a folder stands below those that it is inside, by its own name', () => {
  const folders = ['Clients', 'Clients/Ada', 'clients/Ada/2026', 'Clients-old', 'Gone/Eve'].map(
    (name) => folder(name),
  )
  expect(folders.map((each) => placeInTree(each, folders))).toEqual([
    { name: 'Clients', depth: 0 },
    { name: 'Ada', depth: 1 },
    { name: '2026', depth: 2 },
    { name: 'Clients-old', depth: 0 },
    // A file that was read in may bring a name whose outer folder is not there.
    { name: 'Gone/Eve', depth: 0 },
  ])
  const sent = folder('Sent', 0, 'sent')
  expect(placeInTree(sent, [...folders, sent])).toEqual({ name: 'Sent', depth: 0 })
})

test('deleting says what goes with a folder', () => {
  expect(consequenceOf(folder('A'), [])).toBe('It is empty.')
  expect(consequenceOf(folder('A', 1), [])).toBe('Its 1 message goes to Trash.')
  expect(consequenceOf(folder('A', 1), [folder('A/B', 1_200)])).toBe(
    'This deletes the folder inside it, too. Their 1,201 messages go to Trash.',
  )
  expect(consequenceOf(folder('A'), [folder('A/B'), folder('A/C')])).toBe(
    'This deletes the 2 folders inside it, too. They are empty.',
  )
})
