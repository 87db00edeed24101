/**
 * The connections of mail programs. Until they sign in they are strangers, and have a minute and the places of strangers; from then on
 * they belong to a mailbox.
 */
import type { Socket } from 'node:net'
import type { App } from '#server/app.ts'
import type { SignIn } from '#server/features/programs/sign-in.ts'
import { peerOf } from '#server/lib/address-text.ts'
import { newId } from '#server/lib/ids.ts'
import type { Certificates } from '#server/lib/tls/certificates.ts'
import { openPlaces, PLACE_LIMITS, type PlaceLimits } from '../inbound/places.ts'
import { openSignedIn, type SignedIn, type SignedInLimits } from './signed-in.ts'

export type ClientLimits = PlaceLimits &
  SignedInLimits & {
    /** For TLS and the sign-in together. */
    strangerMs: number
  }

export const CLIENT_LIMITS: ClientLimits = {
  ...PLACE_LIMITS,
  ...{ ofMailbox: 20, signedIn: 5_000, strangerMs: 60_000 },
}

type Door = {
  /** null: TLS comes later, by STARTTLS. */
  certificates: Certificates | null
  /** Begins the session of this id. */
  serve(socket: Socket, id: string): void
}

export type Clients = Pick<SignedIn, 'signInOf' | 'leave'> & {
  accept(socket: Socket, door: Door): void
  /** @throws SmtpRefusal when it may not stay */
  signIn(id: string, signIn: SignIn): Promise<void>
  /** Ends no connection. */
  close(): void
  /** Ends all that are left. */
  destroy(): void
}

/** `hangUp` ends a session with a reason; false: there is none yet. */
export const openClients = async (
  app: App,
  limits: ClientLimits,
  hangUp: (id: string, reason: string) => boolean,
): Promise<Clients> => {
  const sockets = new Map<string, Socket>()
  const timers = new Map<string, NodeJS.Timeout>()
  const cut = (id: string, reason: string): void => {
    if (!hangUp(id, reason)) sockets.get(id)?.destroy()
  }
  const places = openPlaces(limits, cut)
  const signedIn = await openSignedIn(app, limits, cut)
  const leaveStrangers = (id: string): void => {
    places.leave(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  const leave = (id: string): void => {
    leaveStrangers(id)
    signedIn.leave(id)
    sockets.delete(id)
  }
  return {
    accept: (socket, { certificates, serve }) => {
      const id = newId()
      socket.on('error', () => {})
      const refusal = places.enter({ id, remoteAddress: peerOf(socket) })
      if (refusal !== null) return refuse(socket, certificates === null ? refusal : null)
      const top = certificates === null ? socket : certificates.secure(socket)
      sockets.set(id, top)
      timers.set(id, setTimeout(cut, limits.strangerMs, id, 'Please sign in sooner').unref())
      top.on('error', () => {})
      top.once('close', () => leave(id))
      if (certificates === null) serve(top, id)
      else top.once('secure', () => serve(top, id))
    },
    signIn: async (id, signIn) => {
      await signedIn.enter(id, signIn)
      // The network is one of people who have mailboxes here.
      places.delivered(id)
      leaveStrangers(id)
    },
    signInOf: signedIn.signInOf,
    leave,
    close: signedIn.close,
    destroy: () => {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

const REFUSED_MS = 1_000

/** `reason` null: TLS would have to come first, and costs more than the refusal is worth. */
const refuse = (socket: Socket, reason: string | null): void => {
  if (reason === null) {
    socket.destroy()
    return
  }
  socket.end(`421 4.7.0 ${reason}\r\n`)
  socket.setTimeout(REFUSED_MS, () => socket.destroy())
}
