/** How dates are written for this person, and which mails they want: a card for accounts, a dialog for holders. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import {
  getPreferences,
  type Preferences,
  preferencesForm,
  savePreferences,
} from '#contract/profile.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { PREFERENCES } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { BY_DEFAULT, PreferencesFields, type PreferenceValues } from './preferences-fields.tsx'

const TITLE = 'Preferences'
const DESCRIPTION = 'How dates and times are written for you, here and in replies.'

export function PreferencesCard() {
  const preferences = useApi(getPreferences, {})
  const card = useRef<HTMLDivElement>(null)
  const isWanted = useLocation().hash === `#${PREFERENCES}`
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView()
  }, [isWanted])
  return (
    <div ref={card} className="scroll-mt-20">
      <Card>
        <CardHeader title={TITLE} description={DESCRIPTION} />
        {preferences.data ? (
          <PreferencesForm preferences={preferences.data} />
        ) : preferences.isError ? (
          <ErrorState
            title="Your preferences could not be loaded"
            description={preferences.error.message}
            onRetry={() => preferences.refetch()}
          />
        ) : (
          <Loading />
        )}
      </Card>
    </div>
  )
}

function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const { form, save, isSaving } = usePreferencesForm(preferences)
  const unsaved = useUnsavedChanges(form.formState.isDirty)
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(save)}>
      <div className="px-5 pb-6">
        <PreferencesFields form={form} company={preferences.company} />
      </div>
      <footer className="flex justify-end rounded-b-card border-line border-t bg-sunken px-5 py-3.5">
        <Button type="submit" isPending={isSaving} disabled={!form.formState.isDirty}>
          {isSaving ? 'Saving...' : 'Save preferences'}
        </Button>
      </footer>
      {unsaved.question}
    </form>
  )
}

/** For the holder of a mailbox, who has no profile page. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const preferences = useApi(getPreferences, {}).data
  return preferences ? <OpenDialog preferences={preferences} onClose={onClose} /> : null
}

function OpenDialog({ preferences, onClose }: { preferences: Preferences; onClose: () => void }) {
  const { form, save, isSaving } = usePreferencesForm(preferences, onClose)
  const unsaved = useUnsavedChanges(form.formState.isDirty && !isSaving, onClose)
  return (
    <FormDialog
      title={TITLE}
      description={DESCRIPTION}
      unsaved={unsaved}
      onSubmit={form.handleSubmit(save)}
      submitText="Save"
      pendingText="Saving..."
      isPending={isSaving}
      isUnchanged={!form.formState.isDirty}
    >
      <PreferencesFields form={form} company={preferences.company} />
    </FormDialog>
  )
}

const valuesOf = (preferences: Preferences): PreferenceValues => ({
  timeZone: preferences.timeZone || BY_DEFAULT,
  timeFormat: preferences.timeFormat || BY_DEFAULT,
  dateFormat: preferences.dateFormat || BY_DEFAULT,
  wantsDnsMails: preferences.wantsDnsMails,
})

const chosen = (value: string): string => (value === BY_DEFAULT ? '' : value)

function usePreferencesForm(preferences: Preferences, onSaved?: () => void) {
  const client = useQueryClient()
  const form = useForm<PreferenceValues>({
    values: valuesOf(preferences),
    resetOptions: { keepDirtyValues: true },
  })
  const call = useCall(savePreferences, {
    onSuccess: (saved) => {
      form.reset(valuesOf(saved), { keepDirtyValues: false })
      client.setQueryData(keyOf(getPreferences, {}), saved)
      toast({ title: 'Preferences saved', variant: 'success' })
      onSaved?.()
    },
    onError: (error) => showRefusal(form, error),
  })
  const save = ({ wantsDnsMails, ...lists }: PreferenceValues) =>
    call.mutate({
      body: preferencesForm.parse({
        wantsDnsMails,
        timeZone: chosen(lists.timeZone),
        timeFormat: chosen(lists.timeFormat),
        dateFormat: chosen(lists.dateFormat),
      }),
    })
  return { form, save, isSaving: call.isPending }
}

function Loading() {
  return (
    <div className="grid gap-5 px-5 pb-6 sm:grid-cols-2">
      <p role="status" className="sr-only">
        Loading your preferences
      </p>
      {[0, 1, 2].map((field) => (
        <div key={field} className="grid gap-1.5">
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  )
}
