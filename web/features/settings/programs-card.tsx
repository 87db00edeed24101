/** Whether mail programs of the workspace need app passwords. */
import { useState } from 'react'
import { getProgramRules, saveProgramRules } from '#contract/workspace/mail-programs.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function ProgramsCard() {
  const { data, error, refetch } = useApi(getProgramRules, {})
  const [isAsking, setIsAsking] = useState(false)
  const save = useCall(saveProgramRules, {
    onSuccess: ({ needsAppPasswords }) => {
      setIsAsking(false)
      toast({
        title: needsAppPasswords
          ? 'Mail programs need app passwords now'
          : 'Mail programs may use people’s own passwords again',
        variant: 'success',
      })
    },
    onError: (failure) => toastError(messageOf(failure)),
  })
  const choose = (needsAppPasswords: boolean) => save.mutate({ body: { needsAppPasswords } })
  return (
    <Card>
      <section
        aria-label="Mail programs"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
      >
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <h2 className="font-medium text-sm">Mail programs</h2>
          {data && (
            <p role="status" className="text-pretty text-soft text-sm">
              {data.needsAppPasswords
                ? 'Mail programs need app passwords: the password with which people sign in here does not open a mailbox to them.'
                : 'Mail programs may use an app password, or the password with which a person signs in to their own mailbox.'}
            </p>
          )}
          {!data && !error && <Skeleton className="h-5 w-full" />}
        </div>
        {data?.needsAppPasswords === true && (
          <Button variant="secondary" isPending={save.isPending} onClick={() => choose(false)}>
            Allow own passwords
          </Button>
        )}
        {data?.needsAppPasswords === false && (
          <Button variant="secondary" onClick={() => setIsAsking(true)}>
            Require app passwords
          </Button>
        )}
        {error && !data && (
          <ErrorState
            title="Error loading what mail programs need"
            description={error.message}
            onRetry={() => void refetch()}
            className="w-full py-6"
          />
        )}
      </section>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !save.isPending && setIsAsking(false)}
        title="Require app passwords?"
        description="Mail programs that use people’s own passwords are signed out at once. Each person is mailed when such a program is refused, and makes an app password in the settings of the mailbox."
        confirmText={save.isPending ? 'Saving...' : 'Require app passwords'}
        isPending={save.isPending}
        isDangerous={false}
        onConfirm={() => choose(true)}
      />
    </Card>
  )
}
