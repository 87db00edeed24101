import { expect, test } from 'vitest'
import { rasterTypeOf } from './pictures.ts'

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

test.each([
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['GIF87a', 'image/gif'],
  ['RIFF\x24\0\n\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'image/avif'],
  ['\0\0\0\x1cftypavis', 'image/avif'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['<?xml version="1.0"?><svg>', null],
  ['<!doctype html>', null],
  ['RIFF\0\0\0\0WAVEfmt ', null],
  ['\0\0\0\x20ftypisom', null],
  ['%PDF-1.7', null],
  ['', null],
])('%j', (start, type) => {
  expect(rasterTypeOf(bytes(start))).toBe(type)
})
