import { KeyRound } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'

const SetUpMany = lazyPart(async () => (await import('./many/set-up-many.tsx')).SetUpMany)

/**
 * The mailboxes that wait for their people: those that were just paid, or all that are shown when none of them has anybody.
 * One dialog gives access to all of them.
 */
export const waitingForPeople = (
  rows: readonly ListedMailbox[],
  justPaid: ReadonlySet<string>,
): ListedMailbox[] => {
  const active = rows.filter(({ status }) => status === 'active')
  const waiting = active.filter(({ access }) => access.state === 'none')
  return waiting.length === active.length ? waiting : waiting.filter(({ _id }) => justPaid.has(_id))
}

/** `isKnown`: all rows are read, and nothing is left to pay. */
export function useNextStep(rows: readonly ListedMailbox[], isKnown: boolean) {
  const [paid, setPaid] = useState<ReadonlySet<string>>(new Set())
  return {
    isPaid: paid.size > 0,
    waiting: isKnown ? waitingForPeople(rows, paid) : [],
    after: (onPaid: () => void) => (ids: readonly string[]) => {
      setPaid(new Set(ids))
      onPaid()
    },
  }
}

/** What comes after the payment, as the loudest thing of the page. */
export function NextStep({ mailboxes }: { mailboxes: readonly ListedMailbox[] }) {
  // The dialog is about those of when it was opened: making links takes them off the list.
  const [asked, setAsked] = useState<readonly ListedMailbox[] | null>(null)
  const canSetUp = useCan('set-up-access')
  const count = mailboxes.length
  return (
    <>
      {count > 0 && canSetUp && (
        <section
          aria-label="Next step"
          className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-b bg-accent-wash px-5 py-4"
        >
          <KeyRound className="size-5 shrink-0 text-accent-ink max-sm:hidden" aria-hidden />
          <div className="grid min-w-0 grow basis-60 gap-0.5">
            <h2 className="font-semibold text-base tracking-tight">Next: give people access</h2>
            <p className="text-pretty text-sm">
              {count === 1
                ? 'The mailbox is active, and nobody can read it yet.'
                : `${formatCount(count)} mailboxes are active, and nobody can read them yet.`}{' '}
              With a link, each person sets a password.
            </p>
          </div>
          <Button onClick={() => setAsked(mailboxes)}>
            Give access{count > 1 && ` to all ${formatCount(count)}`}
          </Button>
        </section>
      )}
      <Suspense>{asked && <SetUpMany mailboxes={asked} onClose={() => setAsked(null)} />}</Suspense>
    </>
  )
}
