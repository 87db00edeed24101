/**
 * One request begins in each round of the event loop, in turns that go round among networks. A network that asks a thousand
 * things at once has as many rounds as it needs, and what others ask meanwhile, or wait for, comes in between.
 */
import { networkOf } from '#server/features/auth/throttle.ts'

/** @returns resolves when a request of this network may begin */
export const openTurnsOfLoop = (): ((ip: string) => Promise<void>) => {
  /** Those that wait, by network; one that was served goes to the end. */
  const lines = new Map<string, (() => void)[]>()
  let hasBegun = false

  const nextRound = (): void => {
    const [first] = lines
    hasBegun = first !== undefined
    if (first === undefined) return
    setImmediate(nextRound)
    const [network, line] = first
    lines.delete(network)
    line.shift()?.()
    if (line.length > 0) lines.set(network, line)
  }

  return (ip) => {
    if (!hasBegun) {
      hasBegun = true
      setImmediate(nextRound)
      return Promise.resolve()
    }
    const network = networkOf(ip)
    const line = lines.get(network) ?? []
    lines.set(network, line)
    return new Promise((begin) => line.push(begin))
  }
}
