import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { sizeOfData } from './picture-room.ts'

const urlOf = (bytes: Uint8Array): string =>
  `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const frame = latin1('\xff\xc0\0\x11\x08\0\xc8\x01\x2c\x03\0\0\0')
const jfif = latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0')

test('a JPEG in a URL says its size', () => {
  expect(sizeOfData(urlOf(Buffer.concat([jfif, frame])))).toEqual({ width: 300, height: 200 })
})

/** No parts, and thousands of them. */
const hostile = [new Uint8Array(70_000), new Uint8Array(70_000)] as const
for (const picture of hostile) picture.set([255, 216])
for (let at = 2; at < 69_996; at += 4) hostile[1].set([255, 224, 0, 2], at)

test.each(hostile)('forty JPEGs whose parts lead nowhere take no time', async (picture) => {
  const url = urlOf(picture)
  const ms = await computingMsOf(() => {
    for (let n = 0; n < 40; n++) expect(sizeOfData(url)).toBeNull()
  })
  expect(ms).toBeLessThan(300)
})
