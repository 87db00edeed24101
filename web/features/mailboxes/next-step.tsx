import { CreditCard, KeyRound, type LucideIcon } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useFocusPassedOn } from '#web/ui/use-focus-passed-on.ts'
import { areMost, readWaiting, useWaiting } from './use-waiting.ts'

const SetUpMany = lazyPart(async () => (await import('./many/set-up-many.tsx')).SetUpMany)

/**
 * The mailboxes that wait for their people: those that were just paid or made, or all that are shown when most of them have
 * nobody. One dialog gives access to all of them.
 */
export const waitingForPeople = (
  rows: readonly ListedMailbox[],
  isNew: ReadonlySet<string>,
): ListedMailbox[] => {
  const active = rows.filter(({ status }) => status === 'active')
  const waiting = active.filter(({ access }) => access.state === 'none')
  return areMost(waiting.length, active.length)
    ? waiting
    : waiting.filter(({ _id }) => isNew.has(_id))
}

/** What is known of the list; of one that is longer than its rows, the server counts those that wait. `canGive`: nothing is left to pay. */
type Known = { canGive: boolean; isWhole: boolean; isNarrowed: boolean }

/** `made`: ids of those that were just generated. */
export function useNextStep(
  rows: readonly ListedMailbox[],
  made: ReadonlySet<string>,
  { canGive, isWhole, isNarrowed }: Known,
) {
  const [paid, setPaid] = useState<ReadonlySet<string>>(new Set())
  const isNew = new Set([...paid, ...made])
  const hasNew = isNew.size > 0
  const isLonger = canGive && !isWhole && !isNarrowed && !hasNew
  const counted = useWaiting(isLonger)
  const waiting = canGive && isWhole ? waitingForPeople(rows, isNew) : []
  return {
    hasNew,
    count: isLonger ? counted : waiting.length,
    read: () => (isLonger ? readWaiting() : waiting),
    unpaid: rows.filter(({ _id, status }) => status === 'inactive' && made.has(_id)).length,
    after: (onPaid: () => void) => (ids: readonly string[]) => {
      setPaid(new Set(ids))
      onPaid()
    },
  }
}

type NextStepProps = Pick<ReturnType<typeof useNextStep>, 'count' | 'read'> & {
  /** Of those that were just generated. */
  unpaid: number
}

/** What comes after new mailboxes were made, and after the payment, as the loudest thing of the page. */
export function NextStep({ count, read, unpaid }: NextStepProps) {
  // The dialog is about those of when it was opened: making links takes them off the list.
  const [asked, setAsked] = useState<readonly ListedMailbox[] | null>(null)
  const canSetUp = useCan('set-up-access')
  const [isReading, setReading] = useState(false)
  const ask = async () => {
    setReading(true)
    await Promise.resolve(read())
      .then(setAsked, (error) => toast({ title: messageOf(error), variant: 'error' }))
      .finally(() => setReading(false))
  }
  return (
    <>
      {unpaid > 0 ? (
        <Next title="Next: pay, then give people access" icon={CreditCard}>
          {unpaid === 1
            ? 'The new mailbox is not active yet.'
            : `The ${formatCount(unpaid)} new mailboxes are not active yet.`}{' '}
          Once {unpaid === 1 ? 'it is' : 'they are'} paid for, a link lets each person set a
          password.
        </Next>
      ) : (
        count > 0 &&
        canSetUp && (
          <Next
            title="Next: give people access"
            icon={KeyRound}
            action={<GiveAccess count={count} isPending={isReading} onClick={() => void ask()} />}
          >
            {count === 1
              ? 'The mailbox is active, and nobody can read it yet.'
              : `${formatCount(count)} mailboxes are active, and nobody can read them yet.`}{' '}
            With a link, each person sets a password.
          </Next>
        )
      )}
      <Suspense>{asked && <SetUpMany mailboxes={asked} onClose={() => setAsked(null)} />}</Suspense>
    </>
  )
}

type GiveAccessProps = { count: number; isPending: boolean; onClick: () => void }

/** Goes when another step comes before it, as when somebody else made a mailbox that is to be paid. */
function GiveAccess({ count, ...button }: GiveAccessProps) {
  const self = useRef<HTMLButtonElement>(null)
  useFocusPassedOn(self)
  return (
    <Button ref={self} {...button}>
      Give access{count > 1 && ` to all ${formatCount(count)}`}
    </Button>
  )
}

type NextProps = { title: string; icon: LucideIcon; action?: ReactNode; children: ReactNode }

function Next({ title, icon: Icon, action, children }: NextProps) {
  return (
    <section
      aria-label="Next step"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-b bg-accent-wash px-5 py-4"
    >
      <Icon className="size-5 shrink-0 text-accent-ink max-sm:hidden" aria-hidden />
      <div className="grid min-w-0 grow basis-60 gap-0.5">
        <h2 className="font-semibold text-base tracking-tight">{title}</h2>
        <p className="text-pretty text-sm">{children}</p>
      </div>
      {action}
    </section>
  )
}
