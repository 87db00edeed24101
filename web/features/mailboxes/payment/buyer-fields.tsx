import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo, useState } from 'react'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { type BuyerForm, buyerForm, type Company, getCompany } from '#contract/workspaces.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { countryOptions } from '#web/lib/countries.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field, InputField } from '#web/ui/form/field.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const buyerOf = ({ name, vatId, address, zipCode, city, country }: Company): BuyerForm => ({
  ...{ name, vatId, address, zipCode, city, country },
})
const nobody: BuyerForm = { name: '', vatId: '', address: '', zipCode: '', city: '', country: '' }

/** Who stands on the invoice. `changed`: what to save first; null: nothing was typed. */
export function useBuyer() {
  const company = useApi(getCompany, {})
  const known = company.data && company.data.name !== '' ? buyerOf(company.data) : null
  const [isChanging, setIsChanging] = useState(false)
  const form = useForm<BuyerForm>({
    resolver: zodResolver(buyerForm),
    values: company.data ? buyerOf(company.data) : nobody,
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty } = form.formState
  return {
    ...{ form, known, isChanging, change: () => setIsChanging(true) },
    isLoading: company.isPending,
    /** Calls `go` with what was typed, or with null; not at all while a field is wrong. */
    check: (go: (changed: BuyerForm | null) => void) =>
      isDirty ? void form.handleSubmit((buyer) => go(buyer))() : go(null),
  }
}

type BuyerProps = ReturnType<typeof useBuyer> & { workspaceName: string }

/** The buyer as the invoice will name it, or the fields for it: an issued invoice never changes. */
export function Buyer({ form, known, isLoading, isChanging, change, workspaceName }: BuyerProps) {
  return (
    <section aria-label="Who pays" className="mt-4 grid gap-3 border-line border-t pt-4 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 className="font-medium">Who pays</h3>
        {known && !isChanging && (
          <Button variant="quiet" size="small" className="-my-1.5" onClick={change}>
            Change
          </Button>
        )}
      </div>
      {isLoading ? (
        <Skeleton className="h-10 w-full" />
      ) : known && !isChanging ? (
        <p className="wrap-anywhere whitespace-pre-line text-soft">{linesOf(known)}</p>
      ) : (
        <>
          <p className="text-pretty text-soft text-xs">
            The invoice shows the buyer, and an invoice does not change afterwards.
            {!known && ` Without a buyer it names only the workspace, ${workspaceName}.`}
          </p>
          <BuyerFields form={form} />
        </>
      )}
    </section>
  )
}

const linesOf = ({ name, address, zipCode, city, country, vatId }: BuyerForm): string => {
  const label = countryOptions().find(({ value }) => value === country)?.label ?? country
  return [name, address, [`${zipCode} ${city}`.trim(), label].filter(Boolean).join(', '), vatId]
    .filter(Boolean)
    .join('\n')
}

function BuyerFields({ form }: { form: UseFormReturn<BuyerForm> }) {
  const { errors } = form.formState
  const options = useMemo(countryOptions, [])
  const field = (name: keyof BuyerForm, label: string, autoComplete: string) => ({
    ...{ label, autoComplete, error: errors[name]?.message },
    ...form.register(name),
  })
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <InputField className="sm:col-span-2" {...field('name', 'Company or name', 'organization')} />
      <InputField className="sm:col-span-2" {...field('address', 'Address', 'street-address')} />
      <InputField {...field('zipCode', 'Zip Code', 'postal-code')} />
      <InputField {...field('city', 'City', 'address-level2')} />
      <Controller
        name="country"
        control={form.control}
        render={({ field: { ref, name: _, onChange, ...rest }, fieldState }) => (
          <Field label="Country" error={fieldState.error?.message}>
            {(control) => (
              <Combobox
                {...control}
                {...rest}
                ref={ref}
                label="Countries"
                options={options}
                onValueChange={onChange}
                placeholder="Select a country"
              />
            )}
          </Field>
        )}
      />
      <InputField
        {...field('vatId', 'VAT ID', 'off')}
        aside={<span className="text-soft text-xs">Optional</span>}
      />
    </div>
  )
}
