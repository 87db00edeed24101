import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { pictureSizeOf } from './picture-size.ts'

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))

const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 44, 0, 0, 0, 200])
const gif = bytes('GIF89a', [44, 1, 200, 0], [0, 0, 0])
const webp = bytes(
  'RIFF',
  [26, 0, 0, 0],
  'WEBPVP8X',
  [10, 0, 0, 0],
  [0, 0, 0, 0, 43, 1, 0, 199, 0, 0],
)
const frame = [255, 192, 0, 17, 8, 0, 200, 1, 44, 3]
const jfif = ['\xff\xd8\xff\xe0', [0, 16], 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]] as const
/** As a telephone that was held upright writes it: one entry, the orientation. */
const exif = (orientation: number) =>
  bytes(
    '\xff\xd8\xff\xe1',
    [0, 34],
    'Exif\0\0MM\0*\0\0\0\x08',
    [0, 1],
    [1, 18, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    [0, 0, 0, 0],
    frame,
    [0, 0, 0],
  )

test.each([
  ['a PNG', png, 300, 200],
  ['a GIF', gif, 300, 200],
  ['a WebP', webp, 300, 200],
  ['a JPEG', bytes(...jfif, frame, [0, 0, 0]), 300, 200],
  ['a photograph that lies as it is', exif(1), 300, 200],
  ['a photograph that is turned', exif(6), 200, 300],
])('%s says its size', (_what, given, width, height) => {
  expect(pictureSizeOf(given)).toEqual({ width, height })
})

test.each([
  ['nothing', bytes('')],
  ['text', bytes('GIF and PNG are formats')],
  ['an SVG', bytes('<svg width="300" height="200">')],
  ['a page', bytes('<html>')],
  ['a picture without a side', bytes('GIF89a', [0, 0, 200, 0])],
  ['a picture larger than any', bytes('GIF89a', [255, 255, 255, 255])],
  ['a JPEG of fillings', new Uint8Array(500_000).fill(255)],
  ['a JPEG that leads beyond its end', bytes(...jfif, [255, 225, 255, 255], 'Exif\0\0MM')],
  ['a PNG that is cut', png.subarray(0, 20)],
  ['a WebP that is cut', webp.subarray(0, 18)],
])('%s has none', (_what, given) => {
  expect(pictureSizeOf(given)).toBeNull()
})

test('any byte of a picture may be another one', () => {
  for (const picture of [png, gif, webp, exif(6)])
    for (let at = 0; at < picture.length; at++)
      for (const value of [0, 127, 255]) {
        const size = pictureSizeOf(picture.with(at, value))
        if (size) expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(30_000)
        else expect(size).toBeNull()
      }
})

/** No parts, and thousands of them. */
const hostile = [new Uint8Array(200_000), new Uint8Array(200_000)] as const
for (const picture of hostile) picture.set([255, 216])
for (let at = 2; at < 199_996; at += 4) hostile[1].set([255, 224, 0, 2], at)

test.each(hostile)('a hundred pictures that say no size take no time', async (picture) => {
  const ms = await computingMsOf(() => {
    for (let n = 0; n < 100; n++) pictureSizeOf(picture)
  })
  expect(ms).toBeLessThan(300)
})
