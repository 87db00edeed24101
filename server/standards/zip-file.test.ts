import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { uniqueNames, zipOf } from './zip-file.ts'

test('names are unique and safe in whatever folder they are unpacked', () => {
  expect(
    uniqueNames(['a.png', 'A.png', 'a.png', '../../etc/passwd', 'C:\\x.txt', 'con.txt', '..', '']),
  ).toEqual([
    'a.png',
    'A (2).png',
    'a (3).png',
    '_.._etc_passwd',
    'C_x.txt',
    '_con.txt',
    '_',
    '_ (2)',
  ])
})

test('a thousand files of one name are named in linear time', () => {
  const names = uniqueNames(Array.from({ length: 1_000 }, () => 'x.png'))
  expect(new Set(names).size).toBe(1_000)
})

test('what is packed is found by its directory, with names, lengths and sums', () => {
  const content = Buffer.from([0, 255, 1, 2])
  const zip = zipOf([
    { name: 'Übersicht.txt', content: Buffer.from('Grüße') },
    { name: 'plan.bin', content },
    { name: 'empty', content: Buffer.alloc(0) },
  ])
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  let at = zip.readUInt32LE(end + 16)
  const found = Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [size, named, start] = [at + 24, at + 28, at + 42].map((place, n) =>
      n === 1 ? zip.readUInt16LE(place) : zip.readUInt32LE(place),
    ) as [number, number, number]
    const name = zip.toString('utf8', at + 46, at + 46 + named)
    expect(zip.readUInt32LE(start)).toBe(0x04034b50)
    const file = zip.subarray(start + 30 + named, start + 30 + named + size)
    expect(zip.readUInt32LE(at + 16)).toBe(crc32(file))
    at += 46 + named
    return [name, file.toString('latin1')]
  })
  expect(at).toBe(end)
  expect(found).toEqual([
    ['Übersicht.txt', Buffer.from('Grüße').toString('latin1')],
    ['plan.bin', content.toString('latin1')],
    ['empty', ''],
  ])
})
