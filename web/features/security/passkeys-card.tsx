import { KeyRound, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_PASSKEYS, type Passkey } from '#contract/account/passkeys.ts'
import { canUsePasskeys } from '#web/second-step/browser-passkeys.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import type { NewCodes } from './app-card.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { PasskeyRow } from './passkey-row.tsx'

type PasskeysCardProps = {
  passkeys: readonly Passkey[]
  canAdd: boolean
  /** There is no authenticator app. */
  isOnlyFactor: boolean
  onCodes: NewCodes
}

export function PasskeysCard({ passkeys, canAdd, isOnlyFactor, onCodes }: PasskeysCardProps) {
  const [shown, setShown] = useState<Passkey | 'first' | 'another' | null>(null)
  const isPossible = useInBrowser(canUsePasskeys, true) && canAdd
  const list = useRef<HTMLElement>(null)
  return (
    <Card>
      <CardHeader
        title="Passkeys"
        description="Your finger, your face or the PIN of a device signs you in, without a password. It cannot be phished or guessed."
        aside={
          isPossible &&
          passkeys.length < MAX_PASSKEYS && (
            <Button
              className="max-sm:w-full"
              onClick={() => setShown(isOnlyFactor && passkeys.length === 0 ? 'first' : 'another')}
            >
              <Plus aria-hidden />
              Add a passkey
            </Button>
          )
        }
      />
      <section ref={list} tabIndex={-1} aria-label="Passkeys" className="grid gap-4 px-5 pb-5">
        {!isPossible && (
          <p className="text-soft text-sm">
            {canAdd
              ? 'This browser offers no passkeys here.'
              : 'Passkeys need a host name, and this installation is reached by an address of numbers.'}
          </p>
        )}
        {passkeys.length === 0 ? (
          isPossible && (
            <EmptyState
              icon={KeyRound}
              title="No passkey yet"
              description="Add one for each device that you sign in on, so that a lost one locks you out of nothing."
              className="py-6"
            />
          )
        ) : (
          <ul className="grid divide-y divide-line rounded-card border border-line">
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey._id}
                passkey={passkey}
                isLast={isOnlyFactor && passkeys.length === 1}
                onRename={() => setShown(passkey)}
                onDeleted={() => list.current?.focus()}
              />
            ))}
          </ul>
        )}
      </section>
      {shown && (
        <PasskeyDialog
          passkey={typeof shown === 'string' ? null : shown}
          isFirst={shown === 'first'}
          onCodes={onCodes}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  )
}
