import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type Company, companyForm, getCompany, saveCompany } from '#contract/workspaces.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { CompanyFields, type CompanyValues } from './company-fields.tsx'

/** What was typed is saved: nothing of it is kept as a change. */
const SAVED = { keepDirtyValues: false, keepErrors: false }

/** The company profile, read and then edited. */
export function CompanyCard() {
  const company = useApi(getCompany, {})
  return (
    <Card>
      <CardHeader
        title="Company profile"
        description="Who the workspace belongs to, and how it shows dates."
      />
      {company.data ? (
        <CompanyForm company={company.data} />
      ) : company.isError ? (
        <ErrorState
          title="Error loading the company profile"
          description={company.error.message}
          onRetry={() => company.refetch()}
        />
      ) : (
        <LoadingForm />
      )}
    </Card>
  )
}

function CompanyForm({ company }: { company: Company }) {
  const client = useQueryClient()
  const form = useForm<CompanyValues>({
    resolver: zodResolver(companyForm),
    mode: 'onTouched',
    values: company,
    // What another Admin saved meanwhile comes in, but not over what is being typed here.
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  useKeptValues('company', form)
  const unsaved = useUnsavedChanges(form.formState.isDirty)
  const save = useCall(saveCompany, {
    onSuccess: (saved) => {
      form.reset(saved, SAVED)
      client.setQueryData(keyOf(getCompany, {}), saved)
      toast({ title: 'Company profile updated', variant: 'success' })
    },
    onError: (error) => {
      if (showFieldErrors(form, error)) return
      toastError(messageOf(error))
    },
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((body) => save.mutate({ body }))}>
      <CompanyFields form={form} />
      <footer className="flex justify-end border-line border-t bg-sunken px-5 py-3.5 rounded-b-card">
        <Button type="submit" isPending={save.isPending}>
          {save.isPending ? 'Updating...' : 'Update'}
        </Button>
      </footer>
      {unsaved.question}
    </form>
  )
}

function LoadingForm() {
  return (
    <div className="grid gap-5 px-5 pb-6 sm:grid-cols-2">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {[0, 1, 2, 3, 4, 5, 6, 7].map((field) => (
        <div key={field} className="grid gap-1.5">
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  )
}
