/**
 * Changes the web code at random, one place at a time, in a copy, and checks that a test fails: a surviving change is a behaviour
 * without a test. `npm run mutations 20 7` makes twenty changes with the seed 7.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { chanceOf } from '#test-world/trials/seeded.ts'
import { type Kind, type Mutation, mutationsIn } from './mutation.ts'
import { openCopy, TYPES, type Verdict } from './trial.ts'

const count = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? 1)
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed))
  throw new Error('Usage: npm run mutations [count] [seed]')

const { between } = chanceOf(seed)
const all = mutationsIn('web')
/** In turn, so that each kind is used. */
const kinds: Kind[] = ['text', 'guard', 'constant']

const copy = await openCopy()
const results: (Mutation & Verdict)[] = []
while (results.length < count) {
  const ofKind = all.filter(({ kind }) => kind === kinds[results.length % kinds.length])
  const mutation = ofKind[between(0, ofKind.length - 1)]
  if (!mutation) throw new Error('there is nothing to change')
  const verdict = await copy.try(mutation)
  // A change that does not compile would not be committed: it is replaced by another.
  if (verdict.redBy === TYPES) continue
  results.push({ ...mutation, ...verdict })
  const { kind, path, line, before, after } = mutation
  const change = `${kind} ${path}:${line}  ${oneLine(before)} -> ${oneLine(after)}`
  const result = verdict.redBy === null ? 'SURVIVED' : `red by ${verdict.redBy}: ${verdict.test}`
  console.log(`${results.length}/${count} ${change}  ${result}, ${verdict.seconds} s`)
}
copy.close()

mkdirSync('.build', { recursive: true })
writeFileSync('.build/mutations.json', JSON.stringify({ seed, count, results }, null, 2))
const survivors = results.filter(({ redBy }) => redBy === null)
console.log(`${count - survivors.length} of ${count} turned a test red (of ${all.length} possible)`)
process.exitCode = survivors.length === 0 ? 0 : 1

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
