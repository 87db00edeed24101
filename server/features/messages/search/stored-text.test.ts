/** That PostgreSQL stores every searched text, and that a search finds its words. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchedText } from '#server/standards/searched-text.ts'
import { anyCharacter } from '#test-world/any-character.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { parseSearch } from './parse-search.ts'
import { tsqueryOf } from './search-query.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => text.toWellFormed())

test('each word of any text is found, by its field too', async () => {
  const texts = fc.sample(fc.record({ subject: anyText, text: anyText, file: anyText }), {
    numRuns: 400,
    seed: 7,
  })
  const trials = texts.flatMap(({ subject, text, file }) => {
    // Our text columns hold no NUL.
    const [about, body] = [subject, text].map((each) => each.replaceAll('\0', ' '))
    const { vector } = searchedText({
      ...{ subject: about ?? '', sender: '', recipients: '', text: `${about} ${body}` },
      fileNames: [file.replaceAll('\0', ' ')],
    })
    const quoted = (given: string) => `"${given.replaceAll('"', ' ')}"`
    const searches = [
      quoted(body ?? ''),
      `subject:${quoted(about ?? '')}`,
      `filename:${quoted(file)}`,
    ]
    return searches
      .map((typed) => tsqueryOf(parseSearch(typed, app.clock.now())))
      .filter((query) => query !== '')
      .map((query) => ({ vector, query }))
  })
  expect(trials.length).toBeGreaterThan(500)
  const { rows } = await sql<{ query: string }>`
    select t.query, t.vector from unnest(${trials.map(({ vector }) => vector)}::text[], ${trials.map(({ query }) => query)}::text[])
      as t (vector, query) where not t.vector::tsvector @@ t.query::tsquery`.execute(app.db)
  expect(rows).toEqual([])
})

test('a text of one hundred thousand words is stored', async () => {
  const text = Array.from({ length: 100_000 }, (_, n) =>
    String.fromCodePoint(0x4e00 + (n % 20_000)),
  )
  const { vector } = searchedText({
    ...{ subject: '', sender: '', recipients: '', fileNames: [] },
    text: text.join(' '),
  })
  const { rows } = await sql<{
    words: number
  }>`select length(${vector}::tsvector) as words`.execute(app.db)
  expect(rows).toEqual([{ words: 20_000 }])
})

test('a mail is stored whose every field is as long as it may be, in the letters that need the most bytes', async () => {
  const letters = ['\u4e00', '\ufb2c', '\u{1d160}', '\u0390', '\ufdfa']
  const vectors = letters.map((letter) => {
    // Words that differ, none of them short for its letters.
    const words = (length: number) => {
      let text = ''
      for (let n = 0; text.length < length; n++) text += `${letter.repeat(40)}${n.toString(36)} `
      return text
    }
    return searchedText({
      ...{ subject: words(1_000), sender: words(1_000), recipients: words(50_000) },
      text: words(150_000),
      fileNames: Array.from({ length: 3_000 }, (_, n) => `${n}${letter.repeat(200)}`),
    }).vector
  })
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from unnest(${vectors}::text[]) as t (vector) where length(t.vector::tsvector) > 1000`.execute(
    app.db,
  )
  expect(rows).toEqual([{ n: letters.length }])
})
