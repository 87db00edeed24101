/** The reader's own app passwords of a mailbox: one for each mail program, with its last use. */
import { KeyRound, Plus } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { listAppPasswords, MAX_APP_PASSWORDS } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AppPasswordRow } from './app-password-row.tsx'
import { NewAppPasswordDialog } from './new-app-password-dialog.tsx'
import { ProgramUses } from './program-uses.tsx'

type AppPasswordsCardProps = {
  mailbox: Mailbox
  /** undefined: still loading. */
  mayRead: boolean | undefined
}

export function AppPasswordsCard({ mailbox, mayRead }: AppPasswordsCardProps) {
  const passwords = useApi(
    listAppPasswords,
    { params: { id: mailbox._id } },
    { enabled: mayRead === true },
  )
  const [isMaking, setIsMaking] = useKeptState(`making an app password of ${mailbox._id}`, false)
  const list = useRef<HTMLElement>(null)
  const all = passwords.data
  const isFull = all !== undefined && all.length >= MAX_APP_PASSWORDS
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Mail programs"
        description="A phone or a mail program signs in with an app password of its own. You see where each is used, and can end one without the others."
        aside={
          // Also above an empty list: there it would go with the list, and take the focus along.
          mayRead !== false &&
          !isFull && (
            <NewButton isWaiting={mayRead === undefined} onPress={() => setIsMaking(true)} />
          )
        }
      />
      {mayRead === false ? (
        <p className="px-5 pb-5 text-soft text-sm">
          Only readers of this mailbox have app passwords for it, each their own. Its person makes
          one on the page Mail programs, after signing in.
        </p>
      ) : passwords.isError && !all ? (
        <ErrorState
          title="The app passwords could not be loaded"
          description={passwords.error.message}
          onRetry={() => void passwords.refetch()}
          className="py-8"
        />
      ) : all ? (
        <section
          ref={list}
          tabIndex={-1}
          aria-label="App passwords"
          className="grid gap-4 px-5 pb-5"
        >
          {all.length === 0 ? (
            <EmptyState
              icon={KeyRound}
              title="No app password yet"
              description={`Make one for each phone or program that reads the mail of ${mailbox.email}.`}
              className="py-6"
            />
          ) : (
            <ul className="grid divide-y divide-line rounded-card border border-line">
              {all.map((password) => (
                <AppPasswordRow
                  key={password._id}
                  mailbox={mailbox}
                  password={password}
                  onEnded={() => list.current?.focus()}
                />
              ))}
            </ul>
          )}
          <Link
            to={paths.setUpMail({ mailbox: mailbox._id })}
            className="justify-self-start py-0.5 text-accent-ink text-sm underline-offset-4 hover:underline"
          >
            How to set up a mail program
          </Link>
          {isFull && (
            <p className="text-soft text-sm">
              You have {MAX_APP_PASSWORDS} app passwords for this mailbox. End one to make another.
            </p>
          )}
          <ProgramUses mailbox={mailbox} />
        </section>
      ) : (
        <Loading />
      )}
      {isMaking && <NewAppPasswordDialog mailbox={mailbox} onClose={() => setIsMaking(false)} />}
    </Card>
  )
}

type NewButtonProps = { isWaiting: boolean; onPress: () => void }

/** On a phone it is a line of its own, so it has its place from the start. */
function NewButton({ isWaiting, onPress }: NewButtonProps) {
  return (
    <Button variant="secondary" disabled={isWaiting} onClick={onPress} className="max-sm:w-full">
      <Plus aria-hidden />
      New app password
    </Button>
  )
}

function Loading() {
  return (
    <div role="status" className="grid gap-px px-5 pb-5">
      <span className="sr-only">Loading the app passwords</span>
      <Skeleton className="h-17 w-full rounded-b-none" />
      <Skeleton className="h-17 w-full rounded-t-none" />
    </div>
  )
}
