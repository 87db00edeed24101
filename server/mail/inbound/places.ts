/**
 * Decides which clients stay connected. Idle connections are cheap for clients and may last minutes, so the idle timeout shrinks
 * as places run out. When none is left, a new client gets a place of the network with the most. Networks that delivered lately
 * and mail in transit are dropped last.
 */

import { networkOf } from '#server/features/limits/throttle.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { openLevels } from '#server/lib/turns/turns.ts'

export type PlaceLimits = {
  places: number
  /** The limit of Postfix. */
  placesOfEach: number
  /** Connections that a network may open at once; `perSecond` more each second. */
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
  /** `waiting` for a command; `mail`: a recipient was accepted; `data`: receiving a message, which has its own minimum pace. */
  state: 'waiting' | 'mail' | 'data'
}

export type Places = {
  /** Returns the reason for a refusal, or null. */
  enter(client: { id: string; remoteAddress: string }): string | null
  leave(id: string): void
  heard(id: string, state: Place['state']): void
  /** A mail of this connection was accepted. */
  delivered(id: string): void
  /** A mail from the network was accepted within the last 7 days. */
  isKnown(network: string): boolean
}

/** The idle timeout while half of the places are free. */
const PATIENCE_MS = 300_000
/** A real client sends its command within this time. */
const LEAST_PATIENCE_MS = 5_000
const PATIENCE_WITH_SENDERS_MS = 60_000
const KNOWN_MS = 7 * DAY_MS
const MAX_KNOWN = 20_000

/** `cut` ends a connection with this reply. */
export const openPlaces = (
  limits: PlaceLimits,
  cut: (id: string, reason: string) => void,
  now: () => number = () => performance.now(),
): Places => {
  const { places, takenBy, take, leave } = newPlaces()
  const made = openLevels({ fallsPerSecond: limits.perSecond, now })
  const { isKnown, note } = knownNetworks(now)

  const send = (place: Place): void => {
    leave(place.id)
    cut(place.id, 'Too many connections; please connect again when you have mail')
  }
  const isOfUse = (place: Place): boolean => place.state !== 'waiting' || isKnown(place.network)
  const idleMs = (place: Place): number => now() - place.heardAt

  const shortenPatience = (): void => {
    const patience = patienceWith(places.size / limits.places)
    const longest = (place: Place) =>
      isOfUse(place) ? Math.max(patience, PATIENCE_WITH_SENDERS_MS) : patience
    for (const place of idleFor(patience, places, idleMs))
      if (idleMs(place) >= longest(place)) send(place)
  }

  /** null: every present client has a better claim. */
  const whoHasTooMuch = (network: string): Place | null => {
    const own = isKnown(network) ? 0 : takenBy(network) + 1
    const least = (place: Place) => (takenBy(place.network) > own ? 0 : LEAST_PATIENCE_MS)
    return greediest(places, takenBy, (place) =>
      isOfUse(place) ? idleMs(place) >= PATIENCE_WITH_SENDERS_MS : idleMs(place) >= least(place),
    )
  }

  return {
    enter: ({ id, remoteAddress }) => {
      const network = networkOf(remoteAddress)
      if (takenBy(network) >= limits.placesOfEach || made.of(network) > limits.burst - 1)
        return 'Too many connections from your network'
      made.add(network, 1)
      if (places.size > limits.places / 2) shortenPatience()
      if (places.size >= limits.places) {
        const greedy = whoHasTooMuch(network)
        if (greedy === null) return 'Too many connections, try again in a moment'
        send(greedy)
      }
      take({ id, network, heardAt: now(), state: 'waiting' })
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

/** Connections by id, in the order of their last input, and the number of connections per network. */
const newPlaces = () => {
  const places = new Map<string, Place>()
  const taken = new Map<string, number>()
  const takenBy = (network: string): number => taken.get(network) ?? 0
  return {
    places,
    takenBy,
    take: (place: Place): void => {
      taken.set(place.network, takenBy(place.network) + 1)
      places.set(place.id, place)
    },
    leave: (id: string): void => {
      const place = places.get(id)
      if (place === undefined) return
      places.delete(id)
      const others = takenBy(place.network) - 1
      if (others <= 0) taken.delete(place.network)
      else taken.set(place.network, others)
    },
  }
}

/** `share`: the part of all places that is taken. */
const patienceWith = (share: number): number =>
  Math.max(LEAST_PATIENCE_MS, PATIENCE_MS * Math.min(1, 2 - 2 * share))

/** Connections without input for `ms`, except those that are sending DATA. */
function* idleFor(ms: number, places: Map<string, Place>, idleMs: (place: Place) => number) {
  for (const place of places.values()) {
    // The rest had input later.
    if (idleMs(place) < ms) return
    if (place.state !== 'data') yield place
  }
}

/** The longest idle connection of the network with the most connections. */
const greediest = (
  places: Map<string, Place>,
  takenBy: (network: string) => number,
  mayGo: (place: Place) => boolean,
): Place | null => {
  let found: Place | null = null
  let most = 0
  for (const place of places.values()) {
    const held = takenBy(place.network)
    if (place.state === 'data' || held <= most || !mayGo(place)) continue
    found = place
    most = held
  }
  return found
}

/** Networks that delivered lately. In memory: after a start no network is known. */
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
