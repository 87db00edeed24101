import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import {
  getVacation,
  MAX_VACATION_TEXT,
  setVacation,
  VACATION_DAYS,
  type Vacation,
  vacationForm,
} from '#contract/mail/vacation.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { formatCount, formatDay } from '#web/lib/format.ts'
import { holdSent } from '#web/lib/hold-sent.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { cn } from '#web/ui/cn.ts'
import type { Tone } from '#web/ui/data/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field, InputField, inputStyle } from '#web/ui/form/field.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type Values = z.input<typeof vacationForm>
type VacationFormProps = { mailbox: Mailbox; vacation: Vacation; canChange: boolean }

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const valuesOf = ({ state: _state, answered: _answered, ...form }: Vacation): Values => form

export function VacationForm({ mailbox, vacation, canChange }: VacationFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(vacationForm),
    mode: 'onTouched',
    defaultValues: valuesOf(vacation),
  })
  useZoneHere(form)
  useKeptValues(`vacation of ${mailbox._id}`, form)
  const { save, isSaving } = useSave(form, mailbox)
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty && !isSaving)
  const zone = form.watch('timeZone').replaceAll('_', ' ')
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5 px-5 pb-5"
      onSubmit={form.handleSubmit(save)}
    >
      {!canChange && (
        <p className="rounded-xl bg-hover px-3.5 py-3 text-soft text-sm">
          You may read this mailbox, but not send from it. So its automatic reply is not yours to
          change.
        </p>
      )}
      <fieldset disabled={!canChange} className="grid gap-5">
        <OnSwitch form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <InputField
            label="First day"
            hint={`Leave empty to start now.${zone && ` Dates are in ${zone}.`}`}
            error={errors.firstDay?.message}
            {...form.register('firstDay')}
            type="date"
          />
          <InputField
            label="Last day"
            hint="Leave empty to run until it is turned off."
            error={errors.lastDay?.message}
            {...form.register('lastDay')}
            type="date"
          />
        </div>
        <InputField
          label="Subject"
          hint="Leave empty to use “Auto:” and the subject of the answered message."
          error={errors.subject?.message}
          {...form.register('subject')}
        />
        <Field label="Message" required hint={RULES} error={errors.text?.message}>
          {(control) => (
            <textarea
              {...control}
              {...form.register('text')}
              rows={6}
              maxLength={MAX_VACATION_TEXT}
              dir="auto"
              className={cn(inputStyle, 'min-h-36 resize-y py-2')}
            />
          )}
        </Field>
      </fieldset>
      <FormEnd {...{ vacation, isSaving, isDirty, canChange }} />
      {unsaved.question}
    </form>
  )
}

type FormEndProps = {
  vacation: Vacation
  isSaving: boolean
  isDirty: boolean
  canChange: boolean
}

function FormEnd({ vacation, isSaving, isDirty, canChange }: FormEndProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-soft text-sm">
        {vacation.isOn && vacation.state !== 'waiting' && answeredWords(vacation.answered)}
      </p>
      {canChange && (
        <Button type="submit" isPending={isSaving} disabled={!isDirty} className="max-sm:w-full">
          {isSaving ? 'Saving...' : 'Save vacation reply'}
        </Button>
      )}
    </div>
  )
}

export const vacationStates = {
  off: { tone: 'neutral', text: 'Off' },
  waiting: { tone: 'accent', text: 'Planned' },
  on: { tone: 'good', text: 'On' },
  over: { tone: 'neutral', text: 'Over' },
} as const satisfies Record<Vacation['state'], { tone: Tone; text: string }>

/** The present state of a vacation reply, in words. */
export const untilWords = ({ lastDay }: Pick<Vacation, 'lastDay'>): string =>
  lastDay === '' ? 'until it is turned off' : `through ${formatDay(lastDay)}`

export const answeredWords = (answered: number): string => {
  if (answered === 0) return 'No answers have been sent yet.'
  return `${formatCount(answered)} ${answered === 1 ? 'answer has' : 'answers have'} been sent.`
}

export const RULES = `Each sender gets it once in ${VACATION_DAYS} days. Mailing lists, newsletters, programs and mail in Junk get none.`

/** Without a choice the time zone is that of this browser, which the server does not know when it renders. */
function useZoneHere(form: ReturnType<typeof useForm<Values>>): void {
  useEffect(() => {
    // No input element holds this field.
    form.register('timeZone')
    if (!form.getValues('timeZone')) form.resetField('timeZone', { defaultValue: zoneHere() })
  }, [form])
}

function OnSwitch({ form }: { form: ReturnType<typeof useForm<Values>> }) {
  const id = useId()
  return (
    <div className="flex items-center gap-2.5">
      <Controller
        name="isOn"
        control={form.control}
        render={({ field }) => (
          <Checkbox
            id={id}
            ref={field.ref}
            checked={field.value}
            onBlur={field.onBlur}
            onCheckedChange={(checked) => {
              field.onChange(checked === true)
              // Missing fields matter only while it is on.
              if (form.formState.isSubmitted) void form.trigger()
            }}
          />
        )}
      />
      <label htmlFor={id} className="font-medium text-sm">
        Send a vacation reply
      </label>
    </div>
  )
}

function useSave(form: ReturnType<typeof useForm<Values>>, mailbox: Mailbox) {
  const client = useQueryClient()
  const params = { id: mailbox._id }
  const set = useCall(setVacation, {
    onSuccess: (saved) => {
      client.setQueryData(keyOf(getVacation, { params }), saved)
      toast({ ...savedWords(saved), variant: 'success' })
    },
    onError: (error) => showRefusal(form, error),
  })
  const save = (body: Values) => {
    const settle = holdSent(form)
    set.mutate({ params, body }, { onSuccess: (saved) => settle(valuesOf(saved)) })
  }
  return { save, isSaving: set.isPending }
}

const savedWords = (saved: Vacation): { title: string; description: string } => {
  if (!saved.isOn) return { title: 'Vacation reply is off', description: 'No answers are sent.' }
  const title = saved.state === 'waiting' ? 'Vacation reply is planned' : 'Vacation reply is on'
  return { title, description: `It answers ${untilWords(saved)}.` }
}
