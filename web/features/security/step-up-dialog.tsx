/** Asks whether it is still the person, before something that matters is changed (decision 117). */
import { useQuery } from '@tanstack/react-query'
import { beginStepUp, stepUp } from '#contract/account/second-factor.ts'
import { call } from '#web/lib/api/api.ts'
import { type Proof, ProveForm } from '#web/second-step/prove-form.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'

export function StepUpDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const asked = useQuery({
    queryKey: ['step-up'],
    queryFn: () => call(beginStepUp, {}),
    // Each opening gets a challenge of its own.
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false },
  })
  const prove = async (proof: Proof) => {
    await call(stepUp, { body: { challenge: asked.data?.challenge, ...proof } })
    onAnswer(true)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onAnswer(false)}
      title="Confirm that it is you"
      description="This changes something that matters. You are not asked again for 15 minutes."
    >
      {asked.data ? (
        asked.data.methods.length > 0 ? (
          <ProveForm
            methods={asked.data.methods}
            passkey={asked.data.passkey}
            submitText="Confirm"
            onProve={prove}
          />
        ) : (
          <p className="text-pretty text-sm">
            Your account has neither a password nor a second factor here. Please log out and log in
            again, then repeat this.
          </p>
        )
      ) : asked.isError ? (
        <ErrorState
          title="This could not be asked"
          description={asked.error.message}
          onRetry={() => void asked.refetch()}
          className="py-6"
        />
      ) : (
        <div role="status" className="flex justify-center py-6">
          <Spinner className="size-5" />
          <span className="sr-only">Loading...</span>
        </div>
      )}
    </Dialog>
  )
}
