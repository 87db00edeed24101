/** Addresses made from names: a taken one gets the lowest free number, ada@, then ada2@, ada3@. */
import { isRoleName } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { takenAddresses } from './addresses-store.ts'

export type WantedAddress = { localPart: string; domain: string }

/**
 * Call with the domains locked: the answer stays true until the transaction ends.
 * @param used addresses that are given out elsewhere at the same time; grows by those that are chosen here.
 * @returns an address for each, in their order.
 */
export const proposeAddresses = async (
  db: Db,
  wanted: readonly WantedAddress[],
  used: Set<string> = new Set(),
): Promise<string[]> => {
  const chosen: string[] = wanted.map(() => '')
  let open = new Map<string, number[]>()
  wanted.forEach(({ localPart, domain }, index) => {
    const same = `${localPart}@${domain}`
    open.set(same, [...(open.get(same) ?? []), index])
  })
  // Namesakes share their candidates, and the range grows with each query: few round trips, and no more names than rows ask for.
  for (let from = 1, many = 1; open.size > 0; many *= 4) {
    const longest = Math.max(...[...open.values()].map((indexes) => indexes.length))
    const until = from + many + longest
    const candidates = new Map(
      [...open].map(([address, indexes]) => [
        address,
        numbered(address, from, Math.min(until, from + many + indexes.length)),
      ]),
    )
    const taken = await takenAddresses(db, [...candidates.values()].flat())
    const left = new Map<string, number[]>()
    for (const [address, indexes] of open) {
      const free = (candidates.get(address) ?? []).filter(
        (email) => !taken.has(email) && !used.has(email),
      )
      indexes.slice(0, free.length).forEach((index, place) => {
        const email = free[place] ?? ''
        chosen[index] = email
        used.add(email)
      })
      if (indexes.length > free.length) left.set(address, indexes.slice(free.length))
    }
    open = left
    from = from + many
  }
  return chosen
}

const numbered = (address: string, from: number, until: number): string[] => {
  const at = address.lastIndexOf('@')
  const [localPart, domain] = [address.slice(0, at), address.slice(at)]
  return Array.from({ length: until - from }, (_, step) => from + step)
    .filter((number) => number > 1 || !isRoleName(localPart))
    .map((number) => `${localPart}${number > 1 ? number : ''}${domain}`)
}
