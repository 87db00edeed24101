const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** 1500000 is '1.5 MB'. */
export const sizeText = (bytes: number): string => {
  const power = bytes < 1_000 ? 0 : Math.min(5, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1_000 ** power
  return `${power === 0 ? amount : amount.toFixed(amount < 10 ? 1 : 0)} ${UNITS[power]}`
}

/** '75GB' or '500 mb'; null: not a size. */
export const readSize = (text: string): number | null => {
  const [, digits, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?) ?([kMGTP]?B)$/i.exec(text.trim()) ?? []
  if (digits === undefined) return null
  const power = UNITS.findIndex((each) => each.toLowerCase() === unit.toLowerCase())
  return Math.round(Number(digits) * 1_000 ** power)
}
