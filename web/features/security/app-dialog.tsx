/** Sets up an authenticator app: the code to scan, the same as text, and the first code of the app. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { beginTotp, confirmTotp } from '#contract/account/second-factor.ts'
import { oneTimeCode } from '#contract/fields.ts'
import { call } from '#web/lib/api/api.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { QrCode } from '#web/ui/data/qr-code.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const schema = z.object({ code: oneTimeCode })

/** Of a first factor: the other sessions began without it. */
export const FIRST_SIGNS_OUT = 'All other browsers and devices are signed out then.'

type AppDialogProps = {
  /** There is no factor yet. */
  isFirst: boolean
  /** `codes`: recovery codes, with the first factor and when none is left. */
  onDone: (codes: readonly string[] | null) => void
  onClose: () => void
}

export function AppDialog({ isFirst, onDone, onClose }: AppDialogProps) {
  const begun = useQuery({
    queryKey: ['new authenticator app'],
    queryFn: () => call(beginTotp, {}),
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false },
  })
  const form = useForm<z.input<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { code: '' },
  })
  const confirm = useCall(confirmTotp, {
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    onError: (error) => showRefusal(form, error),
  })
  const unsaved = useUnsavedChanges(false, onClose)
  return (
    <FormDialog
      title="Set up an authenticator app"
      description={`Scan this with the app, then enter the code that it shows.${isFirst ? ` ${FIRST_SIGNS_OUT}` : ''}`}
      unsaved={unsaved}
      onSubmit={form.handleSubmit((body) => confirm.mutate({ body }))}
      submitText="Turn it on"
      pendingText="Checking..."
      isPending={confirm.isPending}
      className="grid gap-5"
    >
      {begun.data ? (
        <Secret secret={begun.data.secret} uri={begun.data.uri} />
      ) : begun.isError ? (
        <ErrorState
          title="No code could be made"
          description={begun.error.message}
          onRetry={() => void begun.refetch()}
          className="py-4"
        />
      ) : (
        <Skeleton className="size-40 justify-self-center" />
      )}
      <InputField
        label="Code"
        required
        hint="The 6 digits that the app shows now"
        error={form.formState.errors.code?.message}
        {...form.register('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
      />
    </FormDialog>
  )
}

function Secret({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className="grid justify-items-center gap-3">
      <QrCode text={uri} aria-label="QR code for the authenticator app" className="size-48" />
      <p className="text-center text-soft text-xs">Or type this key into the app:</p>
      <p className="flex max-w-full items-center gap-1">
        <code className="wrap-anywhere min-w-0 text-center font-mono text-sm">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <CopyButton text={secret} label="Copy the key" />
      </p>
    </div>
  )
}
