import { expect, test } from 'vitest'
import { plainAsHtml, plainForMail, textOfBody } from './plain-letter.ts'

test.each([
  '',
  'Dear Eve,',
  'Dear  Eve,\n\n  - <one> & "two"\n\tthree\n',
  '\n\nsignature',
  '> quoted\n>\n> &lt;b&gt;',
])('text comes back as it was: %j', (text) => {
  expect(textOfBody(plainAsHtml(text))).toBe(text)
})

test.each([
  ['<p>One</p><p></p><p>Two<br>lines</p>', 'One\n\nTwo\nlines'],
  [
    '<p><strong>Bold</strong> <span style="color: rgb(1, 2, 3)">red</span>&nbsp;x</p>',
    'Bold red x',
  ],
  ['<h2>Title</h2><p>Text</p>', 'Title\nText'],
  [
    '<ul><li><p>a</p></li><li><p>b</p><ol><li><p>c</p></li><li><p>d</p></li></ol></li></ul><p>e</p>',
    '- a\n- b\n  1. c\n  2. d\ne',
  ],
  [
    '<p>He said</p><blockquote><p>one</p><p></p><p>two</p></blockquote><p>end</p>',
    'He said\n> one\n> \n> two\nend',
  ],
  [
    '<table><tbody><tr><td colspan="1"><p>Jan</p></td><td><p>1200</p></td></tr><tr><td><p></p></td><td><p>35</p><p>36</p></td></tr></tbody></table><p>end</p>',
    'Jan | 1200\n | 35 36\nend',
  ],
  [
    '<p>See <a target="_blank" href="https://x.example/?a=1&amp;b=2">this</a>, <a href="https://y.example">https://y.example</a></p>',
    'See this <https://x.example/?a=1&b=2>, https://y.example',
  ],
  ['<p>a<img src="blob:x" alt="a > b">b</p>', 'ab'],
])('what was formatted keeps its lines: %s', (html, text) => {
  expect(textOfBody(html)).toBe(text)
})

test('for the server it is escaped', () => {
  expect(plainForMail('a <b>\n &amp;')).toBe(
    '<div style="white-space: pre-wrap">a &lt;b&gt;\n &amp;amp;</div>',
  )
  expect(plainForMail('')).toBe('')
})
