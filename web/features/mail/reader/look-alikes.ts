/** Names that look like others: letters of another alphabet, and characters that are read as others. Pure functions. */
import { shownHost } from '#web/lib/spelling/shown-host.ts'

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
