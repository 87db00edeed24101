/** How this person writes, in every mailbox that they read: how long they can take a letter back, and how letters begin. */
import { useQueryClient } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import {
  getPreferences,
  type Preferences,
  saveWritingPreferences,
  undoChoices,
  writingPreferencesForm,
} from '#contract/profile.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function WritingCard() {
  const preferences = useApi(getPreferences, {})
  return (
    <Card>
      <CardHeader
        title="Writing"
        description="For you alone, in every mailbox that you write from"
      />
      {preferences.data ? (
        <WritingForm preferences={preferences.data} />
      ) : preferences.isError ? (
        <ErrorState
          title="Your preferences could not be loaded"
          description={preferences.error.message}
          onRetry={() => void preferences.refetch()}
          className="py-8"
        />
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading your preferences</span>
          <Skeleton className="h-22 w-full max-w-xs" />
          <Skeleton className="h-6 w-56 max-sm:h-10" />
          <Skeleton className="h-14 w-24" />
        </div>
      )}
    </Card>
  )
}

/** A list has no empty value, so this stands for "as long as usual". */
const USUAL = 'usual'

type Values = { undoSeconds: string; writesPlainText: boolean }

const valuesOf = ({ undoSeconds, writesPlainText }: Preferences): Values => ({
  undoSeconds: undoSeconds === null ? USUAL : String(undoSeconds),
  writesPlainText,
})

const words = (seconds: number): string => (seconds === 0 ? 'Off' : `${seconds} seconds`)

const optionsOf = (usual: number) => [
  { value: USUAL, label: `As usual here (${words(usual).toLowerCase()})` },
  ...undoChoices.map((seconds) => ({ value: String(seconds), label: words(seconds) })),
]

function WritingForm({ preferences }: { preferences: Preferences }) {
  const client = useQueryClient()
  const form = useForm<Values>({
    values: valuesOf(preferences),
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty)
  const call = useCall(saveWritingPreferences, {
    onSuccess: (saved) => {
      form.reset(valuesOf(saved), { keepDirtyValues: false })
      client.setQueryData(keyOf(getPreferences, {}), saved)
      toast({ title: 'Writing saved', variant: 'success' })
    },
    onError: (error) => showRefusal(form, error),
  })
  const save = ({ undoSeconds, writesPlainText }: Values) =>
    call.mutate({
      body: writingPreferencesForm.parse({
        undoSeconds: undoSeconds === USUAL ? null : Number(undoSeconds),
        writesPlainText,
      }),
    })
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(save)}>
      <div className="grid gap-5 px-5 pb-5">
        <SelectField
          control={form.control}
          name="undoSeconds"
          label="Take back a sent letter within"
          hint="So long a letter waits here before it goes."
          className="max-w-xs"
          options={optionsOf(preferences.usualUndoSeconds)}
        />
        <Controller
          name="writesPlainText"
          control={form.control}
          render={({ field }) => (
            <div className="flex items-start gap-2.5">
              <Checkbox
                id="writes-plain-text"
                className="mt-0.5"
                ref={field.ref}
                checked={field.value}
                onBlur={field.onBlur}
                onCheckedChange={(checked) => field.onChange(checked === true)}
              />
              <label htmlFor="writes-plain-text" className="text-sm">
                Begin letters as plain text, without formatting and pictures
              </label>
            </div>
          )}
        />
      </div>
      <footer className="flex justify-end rounded-b-card border-line border-t bg-sunken px-5 py-3.5">
        <Button type="submit" isPending={call.isPending} disabled={!isDirty}>
          {call.isPending ? 'Saving...' : 'Save writing'}
        </Button>
      </footer>
      {unsaved.question}
    </form>
  )
}
