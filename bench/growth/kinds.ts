/**
 * The different mails of a growing installation: words as people use them (the n-th most frequent one n times less often than the
 * first), read by the product itself, so that rows and indexes have what it would store.
 */
import type pg from 'pg'
import { readingJobs } from '#server/standards/reading/reading-jobs.ts'
import type { BlobStore } from '#server/storage/blobs/blobs.ts'

const VOCABULARY = 100_000
const PEOPLE = 5_000
const MOST_WORDS = 300
const MEDIAN_WORDS = 55
/** How much the lengths of texts differ. */
const SPREAD = 0.7
const AT_ONCE = 500

/** The word of this rank, from 1 on: of pieces that are spoken, the frequent ones short. */
export const wordOf = (rank: number): string => {
  let rest = rank
  let word = ''
  do {
    word += (CONSONANTS[rest % 16] ?? '') + (VOWELS[Math.floor(rest / 16) % 5] ?? '')
    rest = Math.floor(rest / 80)
  } while (rest > 0)
  return rank % 3 === 0 ? `${word}${CONSONANTS[rank % 13] ?? ''}` : word
}
const CONSONANTS = [...'bdfghjklmnprstvz']
const VOWELS = [...'aeiou']

/** The same numbers for the same seed. */
const numbersOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** By the inverse of the sum of 1 / n, which is about the logarithm. */
const aRank = (random: () => number, of: number): number => Math.floor(of ** random())

const textOf = (random: () => number): string => {
  const normal = Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())
  const count = Math.min(MOST_WORDS, Math.ceil(MEDIAN_WORDS * Math.exp(SPREAD * normal)))
  const words = Array.from({ length: count }, (_, n) => {
    const end = n % 11 === 10 ? '.' : ''
    return `${wordOf(aRank(random, VOCABULARY))}${end}${n % 14 === 13 ? '\r\n' : ' '}`
  })
  return words.join('')
}

const nameOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Every third with its HTML, every twelfth with a file. */
export const mailOf = (kind: number): Buffer => {
  const random = numbersOf(kind + 1)
  const person = aRank(random, PEOPLE)
  const name = `${nameOf(wordOf(person + 500))} ${nameOf(wordOf(person + 7_000))}`
  const subject = Array.from({ length: 3 + (kind % 5) }, () => wordOf(aRank(random, VOCABULARY)))
  const text = textOf(random)
  const head = [
    `From: ${name} <${wordOf(person + 500)}@${wordOf((person % 700) + 90)}.example.net>`,
    `To: Somebody Here <box@d${kind % 2_000}.example>`,
    `Subject: ${nameOf(subject.join(' '))}`,
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    `Message-ID: <${kind}.${person}@${wordOf((person % 700) + 90)}.example.net>`,
    'MIME-Version: 1.0',
  ].join('\r\n')
  const plain = `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`
  const lines = (type: string, parts: readonly string[]) =>
    `${head}\r\nContent-Type: ${type}; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
  if (kind % 12 === 5)
    return Buffer.from(
      lines('multipart/mixed', [
        plain,
        `Content-Type: application/pdf; name=${subject[0]}.pdf\r\nContent-Disposition: attachment; filename=${subject[0]}.pdf\r\n\r\n%PDF`,
      ]),
    )
  if (kind % 3 === 0)
    return Buffer.from(
      lines('multipart/alternative', [
        plain,
        `Content-Type: text/html; charset=utf-8\r\n\r\n<p>${text}</p>`,
      ]),
    )
  return Buffer.from(`${head}\r\n${plain}\r\n`)
}

/** Writes the table `kinds`, whose rows are numbered from 0, and the bytes of each. */
export const writeKinds = async (
  client: pg.ClientBase,
  store: BlobStore,
  count: number,
): Promise<void> => {
  // Values stay in their rows, which are read for each mail.
  await client.query(`
    create unlogged table kinds (k int, subject text, "from" jsonb, "to" jsonb, preview text, has_attachments boolean,
      search_text text, search tsvector, head text, structure text, envelope text, body_structure text, blob text, size_bytes bigint)
    with (toast_tuple_target = 8160)`)
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => first + n)
    const rows = await Promise.all(numbers.map((kind) => rowOf(kind, store)))
    await client.query(
      'insert into kinds select * from jsonb_populate_recordset(null::kinds, $1::jsonb)',
      [JSON.stringify(rows)],
    )
  }
  await client.query('analyze kinds')
}

const rowOf = async (kind: number, store: BlobStore) => {
  const raw = mailOf(kind)
  const [blob, digest] = await Promise.all([store.put(raw), readingJobs.digest(raw)])
  if (digest === 'too-deep') throw new Error(`mail ${kind} was not read`)
  return {
    ...{ k: kind, subject: digest.subject, from: digest.from, to: digest.to },
    ...{ preview: digest.preview, has_attachments: digest.hasAttachments },
    ...{ search_text: digest.searchText, search: digest.search.vector, head: digest.search.head },
    ...{ structure: digest.structure?.structure, envelope: digest.structure?.envelope },
    ...{ body_structure: digest.structure?.bodyStructure, blob, size_bytes: raw.length },
  }
}
