/** Names that look like others: letters of another alphabet, and characters that are read as others. Pure functions. */

/** Letters of Greek and Cyrillic that look like Latin ones, each beside its Latin letter. */
const latinTwins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', н: 'h' },
    ...{ о: 'o', р: 'p', ѕ: 's', т: 't', ԛ: 'q', ԝ: 'w', у: 'y', х: 'x', ѵ: 'v', ѡ: 'w', ӏ: 'l' },
    ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ω: 'w' },
  }),
)

/** Characters that look alike, each as one of them. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1l|]/g, 'i'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/-/g, ''],
]

/** Names of the same shape are read as the same. */
export const shapeOf = (host: string): string =>
  alike.reduce(
    (shape, [pattern, letter]) => shape.replace(pattern, letter),
    asLatin(shownHost(host).normalize('NFKD').replace(/\p{M}/gu, '')),
  )

const asLatin = (text: string): string =>
  [...text].map((letter) => latinTwins.get(letter) ?? letter).join('')

const isLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text)
const isTwinned = (text: string): boolean => /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)

/** 'pаypal' with a Cyrillic а: no language writes a word so. */
export const mixesAlphabets = (word: string): boolean => isLatin(word) && isTwinned(word)

/** True for a host with a part that is read as Latin and is not, beside an ending that is Latin. */
export function posesAsLatin(host: string): boolean {
  const labels = shownHost(host.toLowerCase()).split('.')
  const isLatinEnd = isLatin(labels.at(-1) ?? '')
  const isAllTwins = (label: string) => isTwinned(label) && !/[^a-z\d-]/.test(asLatin(label))
  return labels.some((label) => mixesAlphabets(label) || (isLatinEnd && isAllTwins(label)))
}

/** The host as its owner writes it: 'münchen.example' for 'xn--mnchen-3ya.example'. */
export const shownHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join('.')

const MAX_CODE_POINT = 0x10ffff
/** Of a label without its 'xn--' (RFC 1035, section 2.3.4). A longer one could make the numbers below infinite. */
const MAX_LABEL = 59
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** RFC 3492, section 6.2. Returns null for what is not Punycode. */
function decodeLabel(label: string): string | null {
  if (label.length > MAX_LABEL) return null
  const text = label.toLowerCase()
  const basicEnd = Math.max(0, text.lastIndexOf('-'))
  const output = [...text.slice(0, basicEnd)]
  const digits = [...text.slice(basicEnd === 0 ? 0 : basicEnd + 1)].map((each) =>
    DIGITS.indexOf(each),
  )
  let [code, position, bias] = [128, 0, 72]
  for (let at = 0; at < digits.length; ) {
    const before = position
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = digits[at] ?? -1
      at += 1
      if (digit < 0) return null
      position += digit * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const count = output.length + 1
    bias = adapted(position - before, count, before === 0)
    code += Math.floor(position / count)
    position %= count
    if (code > MAX_CODE_POINT) return null
    output.splice(position, 0, String.fromCodePoint(code))
    position += 1
  }
  return output.join('')
}

/** RFC 3492, section 6.1. */
function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
