/**
 * Who may stay connected. An idle connection is cheap to make and may last for minutes, so patience shortens as places run
 * out, and when there are none left, whoever comes gets one of the network that holds most. Networks that delivered lately
 * and mail under way are the last to go.
 */
import { networkOf } from '#server/features/limits/throttle.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

export type PlaceLimits = {
  places: number
  /** As Postfix has it. */
  placesOfEach: number
  /** Connections that a network may make at once, and each second beyond that. */
  burst: number
  perSecond: number
}

export const PLACE_LIMITS: PlaceLimits = {
  ...{ places: 2_000, placesOfEach: 50, burst: 1_000, perSecond: 20 },
}

type Place = {
  id: string
  network: string
  heardAt: number
  /** `waiting` for a command, amid a `mail` for somebody here, or busy with its `data`, which has a pace of its own. */
  state: 'waiting' | 'mail' | 'data'
}

export type Places = {
  /** Answers why not, or null. */
  enter(client: { id: string; remoteAddress: string }): string | null
  leave(id: string): void
  heard(id: string, state: Place['state']): void
  /** A mail of it was taken. */
  delivered(id: string): void
  /** A mail of it was taken within the last days. */
  isKnown(network: string): boolean
}

/** While half of the places are free. */
const PATIENCE_MS = 300_000
/** A program that wants something says so in this time. */
const LEAST_PATIENCE_MS = 5_000
const PATIENCE_WITH_SENDERS_MS = 60_000
const KNOWN_MS = 7 * 24 * 3_600_000
const MAX_KNOWN = 20_000

/** `cut` ends a connection, with this reason. */
export const openPlaces = (
  limits: PlaceLimits,
  cut: (id: string, reason: string) => void,
  now: () => number = () => performance.now(),
): Places => {
  /** The one that was heard last is the last. */
  const places = new Map<string, Place>()
  const taken = new Map<string, number>()
  const made = openLevels({ fallsPerSecond: limits.perSecond, now })
  const { isKnown, note } = knownNetworks(now)

  const leave = (id: string): void => {
    const place = places.get(id)
    if (place === undefined) return
    places.delete(id)
    const others = (taken.get(place.network) ?? 1) - 1
    if (others === 0) taken.delete(place.network)
    else taken.set(place.network, others)
  }
  const send = (place: Place): void => {
    leave(place.id)
    cut(place.id, 'Others need this place: please come again when you have mail')
  }
  const isOfUse = (place: Place): boolean => place.state !== 'waiting' || isKnown(place.network)
  const idleMs = (place: Place): number => now() - place.heardAt

  const shortenPatience = (): void => {
    const rest = Math.min(1, 2 - (2 * places.size) / limits.places)
    const patience = Math.max(LEAST_PATIENCE_MS, PATIENCE_MS * rest)
    for (const place of places.values()) {
      if (idleMs(place) < patience) return
      if (place.state === 'data') continue
      if (!isOfUse(place) || idleMs(place) >= Math.max(patience, PATIENCE_WITH_SENDERS_MS))
        send(place)
    }
  }

  /** null: everybody who is here has a better right. */
  const whoHasTooMuch = (network: string): Place | null => {
    const own = isKnown(network) ? 0 : (taken.get(network) ?? 0) + 1
    let found: Place | null = null
    let most = 0
    for (const place of places.values()) {
      const held = taken.get(place.network) ?? 0
      if (place.state === 'data' || held <= most) continue
      const least = isOfUse(place) ? PATIENCE_WITH_SENDERS_MS : held > own ? 0 : LEAST_PATIENCE_MS
      if (idleMs(place) < least) continue
      found = place
      most = held
    }
    return found
  }

  return {
    enter: ({ id, remoteAddress }) => {
      const network = networkOf(remoteAddress)
      const others = taken.get(network) ?? 0
      if (others >= limits.placesOfEach || made.of(network) > limits.burst - 1)
        return 'Too many connections from your network'
      made.add(network, 1)
      if (places.size > limits.places / 2) shortenPatience()
      if (places.size >= limits.places) {
        const greedy = whoHasTooMuch(network)
        if (greedy === null) return 'Too many connections, try again in a moment'
        send(greedy)
      }
      taken.set(network, (taken.get(network) ?? 0) + 1)
      places.set(id, { id, network, heardAt: now(), state: 'waiting' })
      return null
    },
    leave,
    heard: (id, state) => {
      const place = places.get(id)
      if (place && places.delete(id)) places.set(id, { ...place, state, heardAt: now() })
    },
    delivered: (id) => {
      const place = places.get(id)
      if (place !== undefined) note(place.network)
    },
    isKnown,
  }
}

/** Those that delivered lately. A hint: after a start all are strangers. */
const knownNetworks = (now: () => number) => {
  const known = new Map<string, number>()
  return {
    isKnown: (network: string): boolean =>
      now() - (known.get(network) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS,
    note: (network: string): void => {
      known.delete(network)
      known.set(network, now())
      const [oldest] = known.keys()
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    },
  }
}
