/** Mails that are hard to store byte for byte: leading dots, bytes above 127, lines of the maximal length. */
import { type Chance, chanceOf } from './seeded.ts'

/** `words`: one of the subject and one of the text, which no other mail has. */
export type Mail = { subject: string; words: [string, string]; raw: Buffer }

const LONGEST_LINE = 998

export const mailsFor = (to: string, count: number, seed: number): Mail[] =>
  endlessMails(to, seed).take(count).toArray()

/** Makes each mail on demand. */
export function* endlessMails(to: string, seed: number): Generator<Mail, never> {
  const chance = chanceOf(seed)
  for (let n = 0; ; n++) {
    const words: [string, string] = [`s${seed}n${n}x`, `b${seed}n${n}x`]
    const subject = `Mail ${n} of ${seed} ${words[0]}`
    const head = [
      'From: Grace <grace@sender.example>',
      `To: <${to}>`,
      `Subject: ${subject}`,
      `Message-ID: <${n}.${seed}@sender.example>`,
      'Date: Fri, 20 Nov 2026 12:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
    ]
    const lines = Array.from({ length: sizeOf(n, chance) }, () => lineOf(chance))
    yield { subject, words, raw: Buffer.from([...head, '', words[1], ...lines, ''].join('\r\n')) }
  }
}

/** Lines; every hundredth mail is larger than one read or write. */
const sizeOf = (n: number, chance: Chance): number =>
  n % 100 === 50 ? 3_000 : chance.between(0, 150)

const lineOf = (chance: Chance): string => {
  const word = chance.oneOf(['alpha ', 'Größe ', '.', '..', '漢字 ', ' ', 'From ', '= '])
  const repeats = chance.between(0, 20)
  return chance.between(1, 100) === 1 ? 'x'.repeat(LONGEST_LINE) : word.repeat(repeats)
}
