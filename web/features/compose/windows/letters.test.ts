import { expect, test } from 'vitest'
import { dockWidth, type Letter, type LetterPlace, letterInUse, roomFor, shown } from './letters.ts'

const letter = (key: string, place: LetterPlace = 'window'): Letter => ({
  request: {
    key,
    title: 'New message',
    about: key,
    isAnswer: false,
    prepare: () => Promise.reject(),
  },
  place,
  isPoppedOut: false,
})
const places = (letters: readonly Letter[]) =>
  letters.map(({ request, place }) => `${request.key} ${place}`)

test.each([
  [390, 1],
  [768, 1],
  [1280, 1],
  [1440, 2],
  [1920, 2],
  [2560, 3],
])('%i px hold %i windows', (width, windows) => {
  expect(roomFor(width)).toBe(windows)
})

test('beside a letter in its thread the dock has the rest of the page, where a window fits there', () => {
  expect(dockWidth(1440, null)).toBe(1440)
  expect(dockWidth(1440, 816)).toBe(816)
  expect(roomFor(dockWidth(1440, 816))).toBe(1)
  expect(dockWidth(1024, 400)).toBe(1024)
})

test('with room for two the first stays beside the second, and the third minimises the oldest', () => {
  const two = shown([letter('a'), letter('b')], 'b', 2)
  expect(places(two)).toEqual(['a window', 'b window'])
  const three = shown([...two, letter('c')], 'c', 2)
  expect(places(three)).toEqual(['a minimised', 'b window', 'c window'])
  expect(places(shown(three, 'a', 2))).toEqual(['a window', 'b minimised', 'c window'])
})

test('where one has room, the one that is shown takes it', () => {
  const two = shown([letter('a'), letter('b')], 'b', 1)
  expect(places(two)).toEqual(['a minimised', 'b window'])
  expect(places(shown(two, 'a', 1))).toEqual(['a window', 'b minimised'])
})

test('a window over the page makes way for another one, and stays so when it is shown itself', () => {
  expect(places(shown([letter('a', 'full'), letter('b')], 'b', 2))).toEqual([
    'a minimised',
    'b window',
  ])
  expect(places(shown([letter('a', 'full')], 'a', 2))).toEqual(['a full'])
})

test('a dropped file goes to the newest window, else to the newest letter', () => {
  const key = (letters: Letter[]) => letterInUse(letters)?.request.key
  expect(key([letter('a'), letter('b', 'minimised')])).toBe('a')
  expect(key([letter('a', 'minimised'), letter('b', 'minimised')])).toBe('b')
  expect(key([])).toBeUndefined()
})
