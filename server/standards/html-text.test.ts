import { expect, test } from 'vitest'
import { textOfHtml, twinOfHtml } from './html-text.ts'

test('HTML is read as people see it', () => {
  expect(
    textOfHtml(
      '<h1>Hello</h1><p>It <b>weaves</b>.<br>See <a href="https://example.com/a">this</a> <img src="x.png" alt="a mill"></p><ul><li>one<li>two</ul>',
    ),
  ).toBe('HELLO\n\nIt weaves.\nSee this [https://example.com/a]\n\n * one\n * two')
  expect(textOfHtml('')).toBe('')
})

test.each([
  ['open tags', `${'<div>'.repeat(150_000)}the core`],
  ['nested lists', `${'<ul><li>'.repeat(120_000)}the core`],
  ['closing tags that never opened', `${'<i>'.repeat(80_000)}${'</b>'.repeat(70_000)}the core`],
  ['half tags', `the core${'<a href='.repeat(110_000)}`],
])('%s that keep a parser busy: what stands between them', (_name, html) => {
  expect(textOfHtml(html)).toBe('the core')
})

test('of what nests too deep the lines stay lines', () => {
  const html = `${'<div>'.repeat(6_000)}<p>Dear <b>Ada</b>,</p><div>it\nweaves.<br>Come and see.</div>`
  const lines = ['Dear Ada ,', 'it weaves.', 'Come and see.']
  expect(textOfHtml(html).split('\n')).toEqual(lines)
  expect(twinOfHtml(html).split('\n')).toEqual(lines)
})

test('what is written on the parts of a form is no text, but for a button that is a link', () => {
  const form = '<form>Sign in<input><button>Confirm</button><select><option>One</select></form>'
  expect(textOfHtml(form)).toBe('Sign in')
  expect(textOfHtml(`<a href="https://x.example/"><button>Open</button></a>`)).toContain('Open')
  expect(textOfHtml(`<button><b><a href="https://x.example/">Open</a></b></button>`)).toContain(
    'Open',
  )
})

test('a long newsletter without end tags is still laid out', () => {
  const text = textOfHtml('<table><tr><td><p>one<p>two'.repeat(3_000))
  expect(text.startsWith('one\n\ntwo')).toBe(true)
})

test('the twin of what is written quotes with a sign, and shows where links lead', () => {
  const html = [
    '<div>Dear Ada,</div><div><br></div><div>see <a href="https://example.com/a">the mill</a>, ',
    '<a href="https://example.com/b">https://example.com/b</a> or ',
    '<a href="mailto:bob@example.com">bob@example.com</a>.</div>',
    '<ol><li>one</li><li>two</li></ol><h2>Last</h2>',
    '<div>On Monday, Ada wrote:</div><blockquote type="cite"><div>Does it weave?</div>',
    '<blockquote><div>It does.</div></blockquote></blockquote>',
  ]
  expect(twinOfHtml(html.join('')).split('\n')).toEqual([
    ...['Dear Ada,', ''],
    'see the mill <https://example.com/a>, https://example.com/b or bob@example.com.',
    ...[' 1. one', ' 2. two', '', '', 'Last', ''],
    ...['On Monday, Ada wrote:', '> Does it weave?', '> > It does.'],
  ])
})

test('a quoted plain text keeps its lines, its empty ones and its indents', () => {
  const html = [
    '<div>Gladly.</div><div><br></div><div class="mailstead-quote"><div>On Monday, Ada wrote:</div>',
    '<blockquote type="cite" style="margin:0"><div style="white-space: pre-wrap">Guten Tag,\n\n',
    'ich hätte gern:\n  2 Rosen\n&gt; wie zuletzt\n\nKlara</div></blockquote></div>',
  ]
  expect(twinOfHtml(html.join('')).split('\n')).toEqual([
    ...['Gladly.', '', 'On Monday, Ada wrote:', '> Guten Tag,', '> ', '> ich hätte gern:'],
    ...['>   2 Rosen', '> > wie zuletzt', '> ', '> Klara'],
  ])
})

const figures =
  '<div>Sales:</div><table><tbody><tr><th>Month</th><th>Pieces</th></tr><tr><td>Jan</td><td>1200</td></tr><tr><td>Feb</td><td><div>35</div></td></tr></tbody></table><div>Ada</div>'

test('a table that was written here has a line for each row, and a bar between its cells', () => {
  expect(twinOfHtml(figures).split('\n')).toEqual([
    ...['Sales:', 'Month | Pieces', 'Jan | 1200', 'Feb | 35', '', 'Ada'],
  ])
})

test('cells of a received table are never one word', () => {
  expect(textOfHtml(figures).split('\n')).toEqual([
    ...['Sales:', 'Month Pieces', 'Jan 1200', 'Feb 35', '', 'Ada'],
  ])
})
