import { expect, test } from 'vitest'
import { createLocalImages } from './local-images.ts'

const picture = (text: string) => new File([text], 'logo.png', { type: 'image/png' })

test('a picture is shown by a local address and saved as data', async () => {
  const images = createLocalImages()
  const url = images.add(picture('logo'))
  expect(url).toMatch(/^blob:/)
  expect(await images.embed(`<p>Ada</p><img src="${url}">`)).toBe(
    `<p>Ada</p><img src="data:image/png;base64,${btoa('logo')}">`,
  )
})

test('a picture that was taken out again counts for nothing', () => {
  const images = createLocalImages()
  const kept = images.add(picture('12345'))
  images.add(picture('1234567890'))
  expect(images.bytesIn(`<img src="${kept}">`)).toBe(5)
})

test('a large picture is embedded byte for byte', async () => {
  const images = createLocalImages()
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256)
  const url = images.add(new File([bytes], 'x.png', { type: 'image/png' }))
  const html = await images.embed(url)
  const back = Buffer.from(html.split(',')[1] ?? '', 'base64')
  expect(back.equals(Buffer.from(bytes))).toBe(true)
})
