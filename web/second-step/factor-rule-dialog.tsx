import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  factorRuleForm,
  type saveFactorRule,
  type saveInstallationFactorRule,
  USUAL_GRACE_DAYS,
} from '#contract/account/required-factor.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { InputField } from '#web/ui/form/field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

export type Of = 'workspace' | 'installation'

export const whoseText: Record<Of, string> = {
  workspace: 'members, and of who signs in to a mailbox',
  installation: 'everybody',
}

const { graceDays: days } = factorRuleForm.shape
/** As it is typed: nothing is no number, and not zero. */
const schema = z.object({
  graceDays: z
    .string()
    .transform((typed) => (typed.trim() === '' ? Number.NaN : Number(typed)))
    .pipe(days.unwrap()),
})

type FactorRuleDialogProps = {
  of: Of
  route: typeof saveFactorRule | typeof saveInstallationFactorRule
  /** null: it is not required yet. */
  graceDays: number | null
  onClose: () => void
}

export function FactorRuleDialog({ of, route, graceDays, onClose }: FactorRuleDialogProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { graceDays: String(graceDays ?? USUAL_GRACE_DAYS) },
  })
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const save = useCall<typeof route>(route, {
    onSuccess: () => {
      onClose()
      toast({
        title: 'A second factor is required',
        description: 'Those who have none get a mail.',
        variant: 'success',
      })
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title={graceDays === null ? 'Require a second factor' : 'Change the days of grace'}
      description={`It is required of ${whoseText[of]}. They get a mail now, and have these days. After them, who has none can sign in only to set one up; their mail programs and API keys wait, too.`}
      unsaved={unsaved}
      onSubmit={form.handleSubmit((body) => save.mutate({ body }))}
      submitText={graceDays === null ? 'Require it' : 'Save'}
      pendingText="Saving..."
      isPending={save.isPending}
      className="grid gap-5"
    >
      <InputField
        label="Days of grace"
        hint="From 0 to 30. Who comes later has as many."
        inputMode="numeric"
        autoComplete="off"
        error={form.formState.errors.graceDays?.message}
        required
        {...form.register('graceDays')}
      />
    </FormDialog>
  )
}
