/** The actions of Sandbox DNS: publish the expected records, edit records, make mistakes and undo them. */
import { createHash } from 'node:crypto'
import type { SandboxRecordType } from '#contract/dns/sandbox.ts'
import type { SandboxZones, ZoneRecord } from '../world/sandbox-zones.ts'
import type { AskedRecord } from './added-domains.ts'
import { isSpf, type Mischief, type Mistake, publishedValue } from './mistakes/mistake.ts'

/** A mistake that was made, with what is needed to undo it. */
type Made = {
  mistake: Mistake
  mischief: Mischief
  removed: ZoneRecord[]
  added: ZoneRecord[]
  /** The records that were expected before: a later proposal for SPF may keep what the mistake put there. */
  asked: readonly AskedRecord[]
}

export type Sandbox = ReturnType<typeof openSandbox>

export const openSandbox = (zones: SandboxZones) => {
  const made = new Map<string, Made[]>()
  const madeIn = (domain: string): Made[] => made.get(domain) ?? []

  const undo = (domain: string, id: string): void => {
    const one = madeIn(domain).find(({ mistake }) => mistake.id === id)
    if (!one) return
    made.set(
      domain,
      madeIn(domain).filter((each) => each !== one),
    )
    const { isGone, trouble, cached } = one.mischief
    if (isGone) zones.addZone(domain)
    const zone = zones.zoneOf(domain)
    if (zone === null) return
    if (trouble !== undefined) zones.setTrouble(zone, null)
    if (cached) zones.setCached(cached.name, cached.type, null)
    for (const record of one.added) without(zones, record)
    for (const record of one.removed) withAgain(zones, record)
  }

  const askedBefore = (domain: string, asked: readonly AskedRecord[]): AskedRecord[] =>
    asked.map((record) => {
      const first = madeIn(domain).find(({ mistake }) => mistake.group === record.purpose)
      return first?.asked.find(({ purpose }) => purpose === record.purpose) ?? record
    })

  /** The name was edited by hand: mistakes there no longer apply. */
  const forgetAt = (domain: string, name: string): void => {
    const isThere = (one: Made) =>
      [...one.removed, ...one.added].some((record) => record.name === name)
    made.set(
      domain,
      madeIn(domain).filter((one) => one.mischief.isGone === true || !isThere(one)),
    )
  }

  return {
    zones,
    undo,
    madeIn: (domain: string): Mistake[] => madeIn(domain).map(({ mistake }) => mistake),

    /** Publishes the expected records: keeps other records at the same names, and undoes every mistake. */
    publish: (domain: string, asked: readonly AskedRecord[]): void => {
      const sound = askedBefore(domain, asked)
      for (const { mistake } of madeIn(domain).toReversed()) undo(domain, mistake.id)
      if (zones.zoneOf(domain) === null) zones.addZone(domain)
      for (const record of sound) {
        const { name, type } = record
        if (type === 'SRV') continue
        if (type !== 'CNAME') zones.set(name, 'CNAME', [])
        const others = zones.valuesOf(name, type).filter((value) => !isReplaced(record, value))
        zones.set(name, type, [...others, publishedValue(record)])
      }
    },

    /** Of two mistakes in the same record the later one counts. A domain without a zone gets an empty one first. */
    make: (domain: string, asked: readonly AskedRecord[], mistake: Mistake): void => {
      const sound = askedBefore(domain, asked)
      for (const { mistake: other } of madeIn(domain).toReversed())
        if (isInTheWay(other, mistake)) undo(domain, other.id)
      if (zones.zoneOf(domain) === null) zones.addZone(domain)
      const zone = zones.zoneOf(domain) ?? domain
      const mischief = mistake.make({ domain, zone, asked: sound })
      const one = { mistake, mischief, asked: sound, ...doIt(zones, zone, mischief) }
      made.set(domain, [...madeIn(domain), one])
    },

    /** The first record of a domain without a zone creates the zone. */
    add: (domain: string, { name, type, value, ttl }: ZoneRecord): void => {
      if (zones.zoneOf(domain) === null) zones.addZone(domain)
      zones.set(name, type, [...zones.valuesOf(name, type), value], ttl)
      forgetAt(domain, name)
    },

    remove: (domain: string, record: ZoneRecord): void => {
      without(zones, record)
      forgetAt(domain, record.name)
    },
  }
}

const isInTheWay = (other: Mistake, mistake: Mistake): boolean =>
  other.group === mistake.group ||
  [other, mistake].some(({ group }) => group === 'zone') ||
  (other.id === 'spf-cached' && mistake.group === 'spf')

const doIt = (zones: SandboxZones, zone: string, mischief: Mischief) => {
  const { swaps = [], trouble, cached, isGone } = mischief
  if (trouble !== undefined) zones.setTrouble(zone, trouble)
  if (cached) zones.setCached(cached.name, cached.type, cached.values)
  if (isGone) {
    const removed = zones.recordsOf(zone)
    zones.removeZone(zone)
    return { removed, added: [] }
  }
  const changes = swaps.map(({ name, type, take = () => true, put }) => {
    const there = zones.recordsOf(zone).filter((each) => each.name === name && each.type === type)
    const [replaced, remaining] = [
      there.filter(({ value }) => take(value)),
      there.filter(({ value }) => !take(value)),
    ]
    zones.set(name, type, [...remaining.map(({ value }) => value), ...put], there[0]?.ttl)
    const added = put.map((value): ZoneRecord => ({ name, type, value, ttl: there[0]?.ttl ?? 300 }))
    return {
      removed: replaced.filter(({ value }) => !put.includes(value)),
      added: added.filter(({ value }) => !replaced.some((each) => each.value === value)),
    }
  })
  return {
    removed: changes.flatMap(({ removed }) => removed),
    added: changes.flatMap(({ added }) => added),
  }
}

const without = (zones: SandboxZones, { name, type, value, ttl }: ZoneRecord): void => {
  const others = zones.valuesOf(name, type).filter((each) => each !== value)
  zones.set(name, type, others, ttl)
}

const withAgain = (zones: SandboxZones, record: ZoneRecord): void => {
  const { name, type, value, ttl } = record
  const there = zones.valuesOf(name, type)
  if (!there.includes(value)) zones.set(name, type, [...there, value], ttl)
}

/** MX and policy records are replaced; an ownership record is added beside those of others. */
const isReplaced = (asked: AskedRecord, present: string): boolean => {
  if (asked.type !== 'TXT') return true
  if (asked.purpose === 'ownership') return present === asked.value
  if (asked.purpose === 'spf') return isSpf(present)
  return true
}

export const recordId = ({ name, type, value }: Omit<ZoneRecord, 'ttl'>): string =>
  createHash('sha256')
    .update(JSON.stringify([name, type satisfies SandboxRecordType, value]))
    .digest('base64url')
    .slice(0, 16)
