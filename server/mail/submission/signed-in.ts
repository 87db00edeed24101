/** Connections by the mailbox that they have signed in to: they end when their password, their right or their mailbox does. */
import type { App } from '#server/app.ts'
import type { SignIn } from '#server/features/programs/sign-in.ts'
import {
  isStillSignedIn,
  stillSignedIn,
  watchSignIns,
} from '#server/features/programs/watch-sign-ins.ts'
import { SmtpRefusal } from '../inbound/smtp-refusal.ts'

export type SignedInLimits = {
  /** Connections of one mailbox. */
  ofMailbox: number
  signedIn: number
}

export type SignedIn = {
  /** @throws SmtpRefusal when it may not stay */
  enter(id: string, signIn: SignIn): Promise<void>
  signInOf(id: string): SignIn | undefined
  leave(id: string): void
  /** Stops the watch. */
  close(): void
}

export const openSignedIn = async (
  app: App,
  limits: SignedInLimits,
  cut: (id: string, reason: string) => void,
): Promise<SignedIn> => {
  const signIns = new Map<string, SignIn>()
  const ofMailbox = new Map<string, Set<string>>()
  const idsOf = (mailboxId: string | null): string[] =>
    mailboxId === null ? [...signIns.keys()] : [...(ofMailbox.get(mailboxId) ?? [])]
  const endFormer = async (mailboxId: string | null): Promise<void> => {
    const asked = idsOf(mailboxId).flatMap((id) => {
      const signIn = signIns.get(id)
      return signIn === undefined ? [] : [{ id, signIn }]
    })
    if (asked.length === 0) return
    const all = asked.map(({ signIn }) => signIn)
    const still = await stillSignedIn(app, all)
    for (const { id, signIn } of asked) if (!still.has(signIn)) cut(id, 'This sign-in has ended')
  }
  const stopWatching = await watchSignIns(app, (mailboxId) => {
    // The next check comes within half a minute.
    endFormer(mailboxId).catch((error: unknown) =>
      app.log.debug({ err: error }, 'mail programs could not be asked whether they may stay'),
    )
  })
  const leave = (id: string): void => {
    const mailboxId = signIns.get(id)?.mailboxId
    if (mailboxId === undefined) return
    signIns.delete(id)
    const others = ofMailbox.get(mailboxId)
    others?.delete(id)
    if (others?.size === 0) ofMailbox.delete(mailboxId)
  }
  return {
    enter: async (id, signIn) => {
      const others = ofMailbox.get(signIn.mailboxId) ?? new Set()
      if (others.size >= limits.ofMailbox || signIns.size >= limits.signedIn)
        throw new SmtpRefusal('454 4.7.0', 'Too many programs are connected to this mailbox')
      ofMailbox.set(signIn.mailboxId, others.add(id))
      signIns.set(id, signIn)
      try {
        // What ended between the look-up and here was announced before this connection was in the list.
        if (await isStillSignedIn(app, signIn)) return
        throw new SmtpRefusal('535 5.7.8', 'This password has ended')
      } catch (error) {
        leave(id)
        throw error
      }
    },
    signInOf: (id) => signIns.get(id),
    leave,
    close: stopWatching,
  }
}
