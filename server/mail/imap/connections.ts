/**
 * All connections of this process: who may come in and stay, and who is told that a mailbox has changed. Strangers have few places and
 * little time; whoever signed in counts for the mailbox.
 */
import type { Socket } from 'node:net'
import { changed } from '#contract/events.ts'
import type { App } from '#server/app.ts'
import { noteProgram, noteStay } from '#server/features/programs/note-use.ts'
import {
  isStillSignedIn,
  stillSignedIn,
  watchSignIns,
} from '#server/features/programs/watch-sign-ins.ts'
import { peerOf } from '#server/lib/address-text.ts'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { openPlaces, PLACE_LIMITS } from '../inbound/places.ts'
import { Connection, type ConnectionWorld } from './connection.ts'
import { openLiteralRoom } from './literal-room.ts'
import { Refusal } from './refusal.ts'

/** Tests set these lower. */
export type ImapLimits = {
  /** Connections of one mailbox: each program takes several. */
  ofMailbox: number
  signedIn: number
  keepAliveMs: number
  /** From the connection to the sign-in. */
  strangerMs: number
}

const LIMITS: ImapLimits = {
  ...{ ofMailbox: 100, signedIn: 20_000 },
  ...{ keepAliveMs: 120_000, strangerMs: 180_000 },
}
/** Messages on their way to APPEND. */
const LITERAL_BYTES = 200_000_000
const CLOSE_MS = 2_000

type Stranger = { id: string; timer: NodeJS.Timeout }

export class Connections {
  readonly #app: App
  readonly #limits: ImapLimits
  readonly #world: ConnectionWorld
  readonly #strangers = new Map<Connection, Stranger>()
  readonly #byMailbox = new Map<string, Set<Connection>>()
  readonly #sockets = new Set<Socket>()
  readonly #places = openPlaces(PLACE_LIMITS, (id, reason) => this.#cut(id, reason))
  #signedIn = 0
  /** How often a password or right was said to have ended. */
  #endings = 0

  constructor(app: App, limits: Partial<ImapLimits>) {
    this.#app = app
    this.#limits = { ...LIMITS, ...limits }
    this.#world = {
      ...{ app, literals: openLiteralRoom(LITERAL_BYTES) },
      signIn: (connection, run) => this.#signIn(connection, run),
    }
  }

  /** Before TLS, which costs more than all else that a stranger asks for. */
  accept(socket: Socket, isSecure: boolean): void {
    const id = newId()
    socket.on('error', () => {})
    socket.setNoDelay(true)
    const refusal = this.#places.enter({ id, remoteAddress: peerOf(socket) })
    if (refusal !== null) {
      socket.end(isSecure ? '' : `* BYE ${refusal}\r\n`)
      return
    }
    this.#sockets.add(socket)
    const secured = isSecure ? this.#app.certificates.secure(socket) : socket
    const connection = new Connection(secured, isSecure, this.#world)
    const late = () => connection.end('Please sign in sooner')
    const timer = setTimeout(late, this.#limits.strangerMs).unref()
    this.#strangers.set(connection, { id, timer })
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#forget(connection)
    })
    void connection.serve().then(() => this.#forget(connection))
  }

  #cut(id: string, reason: string): void {
    for (const [connection, stranger] of this.#strangers)
      if (stranger.id === id) connection.end(reason)
  }

  #leaveStrangers(connection: Connection): void {
    const stranger = this.#strangers.get(connection)
    if (stranger === undefined) return
    clearTimeout(stranger.timer)
    this.#places.leave(stranger.id)
    this.#strangers.delete(connection)
  }

  #forget(connection: Connection): void {
    this.#leaveStrangers(connection)
    const mailboxId = connection.session.signIn?.mailboxId
    const others = mailboxId === undefined ? undefined : this.#byMailbox.get(mailboxId)
    if (mailboxId === undefined || !others?.delete(connection)) return
    this.#signedIn -= 1
    if (others.size === 0) this.#byMailbox.delete(mailboxId)
  }

  /** @throws Refusal where there are too many, or the sign-in has ended meanwhile */
  async #signIn<Answer>(connection: Connection, run: () => Promise<Answer>): Promise<Answer> {
    const endingsBefore = this.#endings
    const answer = await run()
    const { signIn, program } = connection.session
    if (signIn === null) return answer
    const others = this.#byMailbox.get(signIn.mailboxId) ?? new Set()
    if (others.size >= this.#limits.ofMailbox || this.#signedIn >= this.#limits.signedIn)
      throw new Refusal('LIMIT', 'Too many programs are connected to this mailbox')
    this.#byMailbox.set(signIn.mailboxId, others.add(connection))
    this.#signedIn += 1
    this.#leaveStrangers(connection)
    try {
      if (program !== null) await noteProgram(this.#app, signIn, program)
      // What ended between the look-up and here was told before this connection was in the list. Nearly always nothing has.
      if (this.#endings !== endingsBefore && !(await isStillSignedIn(this.#app, signIn)))
        throw new Refusal('AUTHENTICATIONFAILED', 'This password has ended')
    } catch (error) {
      this.#forget(connection)
      throw error
    }
    return answer
  }

  /** @returns what ends it */
  async watch(): Promise<() => void> {
    const stops = [
      await this.#app.listener.subscribe(CHANGED_CHANNEL, (payload) => this.#tellNews(payload)),
      await watchSignIns(this.#app, (mailboxId) => void this.#endFormer(mailboxId)),
    ]
    const timer = setInterval(() => {
      for (const connection of this.#all()) this.#keep(connection)
    }, this.#limits.keepAliveMs).unref()
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }

  #keep(connection: Connection): void {
    connection.keepAlive()
    const { signIn } = connection.session
    if (signIn === null) return
    noteStay(this.#app, signIn).catch((error: unknown) =>
      this.#app.log.debug({ err: error }, 'the use of a password could not be written'),
    )
  }

  *#all(): Generator<Connection> {
    for (const connections of this.#byMailbox.values()) yield* connections
  }

  /** null: news may have been missed. */
  #tellNews(payload: string | null): void {
    if (payload === null) {
      for (const connection of this.#all()) connection.tellNews()
      return
    }
    const { topic, mailboxId } = changed.parse(JSON.parse(payload))
    if (topic !== 'messages' || mailboxId === undefined) return
    for (const connection of this.#byMailbox.get(mailboxId) ?? []) connection.tellNews()
  }

  /** Ends connections whose password, right or mailbox is no more. */
  async #endFormer(mailboxId: string | null): Promise<void> {
    this.#endings += 1
    const asked =
      mailboxId === null ? [...this.#all()] : [...(this.#byMailbox.get(mailboxId) ?? [])]
    if (asked.length === 0) return
    try {
      const signIns = asked.flatMap(({ session }) => session.signIn ?? [])
      const still = await stillSignedIn(this.#app, signIns)
      for (const connection of asked) {
        const { signIn } = connection.session
        if (signIn !== null && !still.has(signIn)) connection.end('This sign-in has ended')
      }
    } catch (error) {
      // The next check comes within half a minute.
      this.#app.log.debug({ err: error }, 'mail programs could not be asked whether they may stay')
    }
  }

  endAll(reason: string): void {
    for (const connection of [...this.#strangers.keys(), ...this.#all()]) connection.end(reason)
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, CLOSE_MS).unref()
  }
}
