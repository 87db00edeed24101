/** Saves what an accountant needs of some months: invoices, credit notes, payments and returns. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  exportMoney,
  type MoneyMonths,
  moneyMonths,
  wrongMonths,
} from '#contract/operator/invoices.ts'
import { separatorOf } from '#contract/spreadsheet.ts'
import { open } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const LISTED_MONTHS = 36

const schema = moneyMonths.superRefine((months, { addIssue }) => {
  const message = wrongMonths(months)
  if (message !== null) addIssue({ code: 'custom', path: ['lastMonth'], message })
})

/** Newest first. */
const listedMonths = (now: Date) =>
  Array.from({ length: LISTED_MONTHS }, (_, before) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before))
    const label = start.toLocaleDateString('en', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    return { value: start.toISOString().slice(0, 7), label }
  })

const decimalOf = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')
    ?.value === ','
    ? ','
    : '.'

const fileOf = async (months: MoneyMonths): Promise<Blob> => {
  const { language } = navigator
  const format = { separator: separatorOf(language), decimal: decimalOf(language) }
  const answer = await open(`${exportMoney.path}?${new URLSearchParams({ ...months, ...format })}`)
  return answer.blob()
}

export function MoneyDialog({ onClose }: { onClose: () => void }) {
  const [options] = useState(() => listedMonths(new Date()))
  const before = options[1]?.value ?? ''
  const form = useForm<MoneyMonths>({
    resolver: zodResolver(schema),
    defaultValues: { firstMonth: before, lastMonth: before },
  })
  const unsaved = useUnsavedChanges(false, onClose)
  const save = async (months: MoneyMonths) => {
    try {
      saveAs(await fileOf(months), `money-${months.firstMonth}-${months.lastMonth}.csv`)
      onClose()
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  return (
    <FormDialog
      title="For the accountant"
      description="A table of invoices, credit notes, payments, and what went back, each on its day in UTC."
      size="small"
      unsaved={unsaved}
      isPending={form.formState.isSubmitting}
      onSubmit={form.handleSubmit(save)}
      submitText="Save the table"
      pendingText="Saving..."
      className="grid gap-5"
    >
      <SelectField label="First month" control={form.control} name="firstMonth" options={options} />
      <SelectField label="Last month" control={form.control} name="lastMonth" options={options} />
    </FormDialog>
  )
}
