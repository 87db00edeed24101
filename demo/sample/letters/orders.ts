/** Orders of the book shop: as many today as put the day twelve messages ahead of yesterday. */
import { MORE_MESSAGES_THAN_YESTERDAY } from '../figures.ts'
import { type Letter, ORDERS } from './letter.ts'

const books = [
  "The Lighthouse Keeper's Almanac",
  'Knots for People with Two Hands',
  'A Field Guide to Puddles',
  'The Slow Ferry',
  'Bread, Salt, Weather',
  'Twelve Ways to Fold a Map',
  'Letters from the Sandbank',
  'The Gull Who Read Proust',
  'Harbours of the North',
]
const readers = [
  'B. Aldous',
  'Chen Yi',
  'M. Duarte',
  'O. Enström',
  'R. Faulkner',
  'S. Grau',
  'T. Hale',
]
const perDay = [2, 3, 4, 1, 3, 2]

const order = (number: number, day: number, minute: number): Letter => {
  const book = books[number % books.length] ?? ''
  const copies = 1 + ((number * 5) % 3)
  const reader = readers[number % readers.length] ?? ''
  const time = `${String(6 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  return {
    ...{ mailbox: ORDERS, day, time, isRead: day > 0 || minute < 120 },
    from: { name: 'Tidewater Books shop', address: 'no-reply@paperplane.example' },
    subject: `Order ${number}: ${book}`,
    text: `${copies} x ${book}
for ${reader}

Paid by card. Please send within two days.`,
  }
}

/** `others`: all other letters. */
export const ordersBeside = (others: readonly Letter[]): Letter[] => {
  let number = 2_400
  const on = (day: number, count: number) =>
    Array.from({ length: count }, (_, n) => order(number++, day, n * 37))
  const earlier = perDay.flatMap((count, n) => on(perDay.length - n, count))
  const countOn = (letters: readonly Letter[], day: number) =>
    letters.filter((letter) => letter.day === day && !('isDraft' in letter)).length
  const yesterday = countOn(others, 1) + countOn(earlier, 1)
  return [...earlier, ...on(0, yesterday + MORE_MESSAGES_THAN_YESTERDAY - countOn(others, 0))]
}
