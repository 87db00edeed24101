/** Invented names. Each has the five letters that generated mailboxes require. */

const male = [
  'Adrian',
  'Alistair',
  'Anton',
  'Bastian',
  'Benedict',
  'Conrad',
  'Dominic',
  'Edmund',
  'Emilio',
  'Fabian',
  'Gareth',
  'Hector',
  'Jasper',
  'Julian',
  'Laurence',
  'Leopold',
  'Magnus',
  'Marcel',
  'Nathan',
  'Oswald',
  'Rafael',
  'Rupert',
  'Tobias',
  'Vincent',
]
const female = [
  'Adelaide',
  'Beatrice',
  'Bridget',
  'Camille',
  'Celeste',
  'Daphne',
  'Eleanor',
  'Felicity',
  'Frieda',
  'Georgia',
  'Harriet',
  'Imogen',
  'Johanna',
  'Juliet',
  'Leonora',
  'Marina',
  'Matilda',
  'Nadine',
  'Ottilie',
  'Rosalind',
  'Sabine',
  'Tamsin',
  'Valerie',
  'Winifred',
]
const lastNames = [
  'Ashworth',
  'Bergmann',
  'Blackwood',
  'Carling',
  'Delacroix',
  'Ellery',
  'Fairbanks',
  'Farnham',
  'Galloway',
  'Hartmann',
  'Holloway',
  'Ingram',
  'Kessler',
  'Lindqvist',
  'Marlowe',
  'Montague',
  'Novotny',
  'Okafor',
  'Pemberton',
  'Quintero',
  'Redfern',
  'Sinclair',
  'Thornton',
  'Underhill',
  'Vandermeer',
  'Wakefield',
  'Whitlock',
  'Yardley',
]

export const NAME_TYPES = [
  { value: 'predefined', label: 'Predefined (name)' },
  { value: 'male', label: 'Random (male)' },
  { value: 'female', label: 'Random (female)' },
  { value: 'any', label: 'Random (Male & Female)' },
] as const
export type NameType = (typeof NAME_TYPES)[number]['value']
export type GivenName = { firstName: string; lastName: string }

/** Delay that shows that names are being picked. */
export const PICKING_MS = 500

const firstNamesOf = (type: NameType): readonly string[] =>
  ({ male, female, any: [...male, ...female], predefined: [] })[type]

function pick(names: readonly string[], count: number): string[] {
  const left = [...names]
  return Array.from({ length: count }, () => {
    const [name = ''] = left.splice(Math.floor(Math.random() * left.length), 1)
    return name
  })
}

/** Returns `count` different names; empty ones to fill in for the predefined type. */
export function namesFor(type: NameType, count: number): GivenName[] {
  const firstNames = pick(firstNamesOf(type), count)
  const surnames = type === 'predefined' ? [] : pick(lastNames, count)
  return Array.from({ length: count }, (_, index) => ({
    firstName: firstNames[index] ?? '',
    lastName: surnames[index] ?? '',
  }))
}
