import { expect, test } from 'vitest'
import { safeStyle } from './safe-style.ts'

test('what newsletters are made of stays', () => {
  const style =
    "margin: 0 auto; padding:12px 8px; font-family: 'Helvetica Neue', Arial; color: rgb(1, 2, 3); background-color:#fafafa; border-bottom: 1px solid #eee; width: 100% !important"
  expect(safeStyle(style)).toBe(
    "margin: 0 auto; padding: 12px 8px; font-family: 'Helvetica Neue', Arial; color: rgb(1, 2, 3); background-color: #fafafa; border-bottom: 1px solid #eee; width: 100%",
  )
})

test.each([
  'background: url(https://spy.example/a.gif)',
  'background:u\\72l(//spy.example)',
  'background: ur/**/l(//spy.example)',
  'background-image: image-set("//spy.example/a" 1x)',
  'color: var(--x, url(//spy.example))',
  'list-style: url(//spy.example)',
  'list-style-type: url(//spy.example)',
  'content: attr(title)',
  'position: fixed',
  'position: sticky; top: 0',
  'width: expression(alert(1))',
  'behavior: url(#default#time2)',
  '-moz-binding: url(//spy.example)',
  'font-family: "a;position:fixed',
  'color: red}body{background:url(//spy.example)',
  '@import "//spy.example"',
  'animation: x 1s',
  'transform: scale(100)',
  'z-index: 9999',
  'display: contents',
  'cursor: url(//spy.example), auto',
  'filter: url(//spy.example#f)',
  'mask: url(//spy.example)',
  'src: url(//spy.example)',
  'font: 12px url(//spy.example)',
  '--x: url(//spy.example)',
  'background: element(#a)',
  'background: cross-fade(red, blue)',
  'color',
  '',
])('%s is dropped', (style) => {
  expect(safeStyle(style)).toBe('')
})

test('a quote that hides a semicolon does not smuggle the rest in', () => {
  expect(safeStyle("font-family: 'a; color: red'")).toBe('')
})

test('an endless style is dropped whole', () => {
  expect(safeStyle('color:red;'.repeat(1000))).toBe('')
})

test('a value is at most 300 characters long', () => {
  const family = (length: number) => `font-family: ${'a'.repeat(length)}`
  expect(safeStyle(family(300))).toBe(family(300))
  expect(safeStyle(family(301))).toBe('')
})
