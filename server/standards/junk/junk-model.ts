/**
 * What one mailbox has learnt: for each word, the number of junk and of good messages that contain it. Words are hashed to 32,768
 * places, so the size of a model is fixed; when a counter is full, all are halved, so old messages lose weight.
 */

export type Kind = 'junk' | 'good'

export type JunkModel = {
  /** Two bytes per place: the junk count, then the good count. */
  counters: Uint8Array
  junkCount: number
  goodCount: number
}

const PLACES = 32_768
const FULL = 255
const MAX_LEARNT = 2_000
/** Needed of each kind: with fewer messages chance would decide. */
export const MIN_LEARNT = 5

export const emptyModel = (): JunkModel => ({
  counters: new Uint8Array(PLACES * 2),
  junkCount: 0,
  goodCount: 0,
})

/** Returns a new model. `step` -1 undoes an earlier call. */
export const learn = (
  model: JunkModel,
  tokens: readonly string[],
  kind: Kind,
  step: 1 | -1,
): JunkModel => {
  const isWhole = model.counters.length === PLACES * 2
  const current = isWhole ? model : emptyModel()
  const next = {
    counters: Uint8Array.from(current.counters),
    junkCount: Math.max(0, current.junkCount + (kind === 'junk' ? step : 0)),
    goodCount: Math.max(0, current.goodCount + (kind === 'good' ? step : 0)),
  }
  let isFull = next.junkCount + next.goodCount > MAX_LEARNT
  for (const place of placesOf(tokens).keys()) {
    const at = place * 2 + (kind === 'junk' ? 0 : 1)
    const count = Math.min(FULL, Math.max(0, (next.counters[at] ?? 0) + step))
    next.counters[at] = count
    if (count === FULL) isFull = true
  }
  return isFull ? halved(next) : next
}

const halved = ({ counters, junkCount, goodCount }: JunkModel): JunkModel => ({
  counters: counters.map((count) => count >> 1),
  junkCount: junkCount >> 1,
  goodCount: goodCount >> 1,
})

export type Likeness = {
  /** 0: like good mail; 1: like junk. */
  probability: number
  /** The words that decide, the strongest first. */
  words: string[]
}

/** Robinson's prior for a rare word, and its weight. */
const GUESS = 0.5
const GUESS_WEIGHT = 0.45
const MIN_TELLING = 0.1
const MAX_TELLING_WORDS = 150
const MAX_NAMED = 3

/** Fisher's method over Robinson's probabilities, as in SpamBayes; null while too few messages were learnt. */
export const likenessOf = (model: JunkModel, tokens: readonly string[]): Likeness | null => {
  const { counters, junkCount, goodCount } = model
  if (junkCount < MIN_LEARNT || goodCount < MIN_LEARNT) return null
  const strongest = [...placesOf(tokens)]
    .map(([place, token]) => {
      const junk = counters[place * 2] ?? 0
      const good = counters[place * 2 + 1] ?? 0
      const junkShare = Math.min(1, junk / junkCount)
      const goodShare = Math.min(1, good / goodCount)
      const share = junkShare + goodShare === 0 ? GUESS : junkShare / (junkShare + goodShare)
      const seen = junk + good
      const p = (GUESS_WEIGHT * GUESS + seen * share) / (GUESS_WEIGHT + seen)
      return { token, p, weight: Math.abs(p - GUESS) }
    })
    .filter(({ weight }) => weight >= MIN_TELLING)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TELLING_WORDS)
  if (strongest.length === 0) return { probability: GUESS, words: [] }
  const degrees = strongest.length * 2
  const isJunk = 1 - chiSquareQ(-2 * sum(strongest.map(({ p }) => Math.log(1 - p))), degrees)
  const isGood = 1 - chiSquareQ(-2 * sum(strongest.map(({ p }) => Math.log(p))), degrees)
  const probability = (isJunk - isGood + 1) / 2
  const words = strongest
    .filter(({ p }) => p > GUESS === probability > GUESS)
    .slice(0, MAX_NAMED)
    .map(({ token }) => token.replace(/^(from|domain|subject):/, ''))
  return { probability, words: [...new Set(words)] }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

/** The probability of a chi-square at least this large by chance; `degrees` is even. */
const chiSquareQ = (x: number, degrees: number): number => {
  const m = x / 2
  let term = Math.exp(-m)
  let total = term
  for (let i = 1; i < degrees / 2; i++) {
    term *= m / i
    total += term
  }
  return Math.min(total, 1)
}

/** The place of each token; tokens that share a place count once. */
const placesOf = (tokens: readonly string[]): Map<number, string> =>
  new Map(tokens.map((token) => [hashOf(token) & (PLACES - 1), token]))

/** FNV-1a. Stored models depend on it. */
const hashOf = (token: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < token.length; at++)
    hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
