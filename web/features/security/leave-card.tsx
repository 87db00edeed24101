/** The person lets their account end. The last Admin of a workspace is led to hand it over, or to delete it, first. */
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { getLeaving, LEAVING_DAYS, type Leaving, leave, stay } from '#contract/account/leaving.ts'
import { useWorkspace } from '#web/deletions/workspace-end.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { useFocusPassedOn } from '#web/ui/use-focus-passed-on.ts'

export function LeaveCard() {
  const { data, error, refetch } = useApi(getLeaving, {})
  return (
    <Card>
      <section
        aria-label="Delete your account"
        tabIndex={-1}
        className="grid gap-3 px-5 py-4 outline-none"
      >
        <h2 className="font-medium text-sm">Delete your account</h2>
        {data ? (
          <Leave leaving={data} />
        ) : error ? (
          <ErrorState
            title="Error loading what your account holds"
            description={error.message}
            onRetry={() => void refetch()}
            className="py-6"
          />
        ) : (
          <Skeleton className="h-6 w-full" />
        )}
      </section>
    </Card>
  )
}

function Leave({ leaving }: { leaving: Leaving }) {
  if (leaving.endsAt !== null) return <Ending endsAt={leaving.endsAt} />
  if (leaving.lastAdminOf.length > 0) return <HandOverFirst workspaces={leaving.lastAdminOf} />
  return <Stays isLastOperator={leaving.isLastOperator} />
}

const row = 'flex flex-wrap items-center justify-between gap-x-6 gap-y-3'
const sentence = 'wrap-anywhere min-w-0 flex-1 basis-72 text-pretty text-soft text-sm'

function Ending({ endsAt }: { endsAt: string }) {
  const self = useRef<HTMLDivElement>(null)
  useFocusPassedOn(self)
  const keep = useCall(stay, {
    onSuccess: () => toast({ title: 'Your account stays', variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div ref={self} className={row}>
      <p role="status" className={sentence}>
        Your account ends on <LocalTime at={endsAt} format={formatDate} />. Until then it works as
        before, and you can keep it.
      </p>
      <Button isPending={keep.isPending} onClick={() => keep.mutate({})}>
        Keep my account
      </Button>
    </div>
  )
}

function HandOverFirst({ workspaces }: { workspaces: Leaving['lastAdminOf'] }) {
  const here = useWorkspace()?._id
  return (
    <>
      <p className="text-pretty text-soft text-sm">
        You are the last Admin of {workspaces.length === 1 ? 'this workspace' : 'these workspaces'}.
        Make another member an Admin, or delete the workspace; then you can delete your account.
      </p>
      <ul className="grid gap-2">
        {workspaces.map(({ _id, name }) => (
          <li key={_id} className={row}>
            <span className="wrap-anywhere min-w-0 flex-1 basis-40 font-medium text-sm">
              {name}
            </span>
            {_id === here ? <SettingsLinks name={name} /> : <SwitchLink name={name} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function SettingsLinks({ name }: { name: string }) {
  return (
    <span className="flex flex-wrap gap-2">
      <Button asChild variant="secondary" size="small">
        <Link to={paths.settings({ tab: 'users' })} aria-label={`Members of ${name}`}>
          Members
        </Link>
      </Button>
      <Button asChild variant="secondary" size="small">
        <Link to={paths.settings()} aria-label={`Delete it: ${name}`}>
          Delete it
        </Link>
      </Button>
    </span>
  )
}

/** Settings are of the workspace that the person is in: of another one, these links would lead to the wrong settings. */
function SwitchLink({ name }: { name: string }) {
  return (
    <Button asChild variant="secondary" size="small">
      <Link to={paths.workspaces()} aria-label={`Switch to it: ${name}`}>
        Switch to it
      </Link>
    </Button>
  )
}

function Stays({ isLastOperator }: { isLastOperator: boolean }) {
  const self = useRef<HTMLDivElement>(null)
  useFocusPassedOn(self)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div ref={self} className={row}>
      <p className={sentence}>
        It ends after {LEAVING_DAYS} days, and can be kept until then. You leave every workspace;
        mailboxes and their mail stay there.
        {isLastOperator &&
          ' You are the last operator of this installation: nobody could operate it any more. Add another one at its terminal first.'}
      </p>
      <Button variant="quiet" className="-mx-3.5" onClick={() => setIsAsking(true)}>
        Delete account
      </Button>
      {isAsking && <LeaveDialog onClose={() => setIsAsking(false)} />}
    </div>
  )
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const address = session.status === 'signed-in' ? session.user.email : ''
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const ask = useCall(leave, {
    onSuccess: () => {
      onClose()
      toast({
        title: 'Your account will be deleted',
        description: `It ends after ${LEAVING_DAYS} days. You got a mail about it.`,
        variant: 'success',
      })
    },
  })
  const textOf = (field: string) => {
    const told = ask.error?.data[field]
    return typeof told === 'string' ? told : undefined
  }
  const isOther = ask.error && textOf('email') === undefined && textOf('password') === undefined
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !ask.isPending && onClose()}
      title="Delete your account?"
      description={`You leave every workspace, and what you gave or could read ends, ${LEAVING_DAYS} days from now. Until then you can keep the account.`}
      confirmText={ask.isPending ? 'Deleting...' : 'Delete account'}
      isPending={ask.isPending}
      isReady={password !== '' && email.trim().toLowerCase() === address.toLowerCase()}
      onConfirm={() => ask.mutate({ body: { email, password } })}
    >
      <div className="mt-4 grid gap-4 text-sm">
        <Field label={`Type ${address} to confirm`} error={textOf('email')} required>
          {(control) => (
            <Input
              {...control}
              value={email}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Field>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={textOf('password')}
          onChange={({ target }) => setPassword(target.value)}
        />
        {isOther && <FormAlert>{messageOf(ask.error)}</FormAlert>}
      </div>
    </ConfirmDialog>
  )
}
