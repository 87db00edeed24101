/** Domain names as people write them. Pure. */

/** The host as its owner writes it: 'münchen.example' for 'xn--mnchen-3ya.example'. */
export const shownHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join('.')

/** The address with its domain so; the same for what is none. */
export const shownAddress = (address: string): string => {
  const at = address.lastIndexOf('@') + 1
  return `${address.slice(0, at)}${shownHost(address.slice(at))}`
}

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
