import type { UseFormReturn } from 'react-hook-form'
import { useHolder } from '#web/lib/api/use-can.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'
import type { KeyValues } from './key-values.ts'
import { ReachChoice } from './reach-choice.tsx'
import { ScopeChoice } from './scope-choice.tsx'

/** The fields of a new key, and of one that is changed. A holder has one mailbox: there is nothing to choose it from. */
export function KeyFields({ form }: { form: UseFormReturn<KeyValues> }) {
  const isHolder = useHolder() !== null
  const { errors, isSubmitted } = form.formState
  const set = { shouldValidate: isSubmitted, shouldDirty: true }
  return (
    <>
      <Field
        label="Name"
        required
        hint="The program or the server that uses it"
        error={errors.name?.message}
      >
        {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
      <ScopeChoice
        value={form.watch('scopes')}
        onChange={(scopes) => form.setValue('scopes', scopes, set)}
        error={errors.scopes?.message}
      />
      {!isHolder && (
        <ReachChoice
          value={form.watch('reach')}
          onChange={(reach) => form.setValue('reach', reach, set)}
          error={errors.reach?.message ?? errors.reach?.root?.message}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <LastDayField
          label="Last day (optional)"
          value={form.watch('lastDay')}
          error={errors.lastDay?.message}
          onChange={({ target }) => form.setValue('lastDay', target.value, set)}
        />
        <Field
          label="Networks (optional)"
          hint="Addresses that may use it, such as 192.0.2.0/24"
          error={errors.ips?.message}
        >
          {(control) => <Input {...control} {...form.register('ips')} autoComplete="off" />}
        </Field>
      </div>
    </>
  )
}
