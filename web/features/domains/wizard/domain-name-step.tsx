import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { DnsSetting } from '#contract/dns/setting.ts'
import { addDomain, addDomainForm, type Domain, getDomain } from '#contract/domains.ts'
import { DOMAIN_EXAMPLE, mayBecomeDomain } from '#contract/fields.ts'
import { FoundInDns } from '#web/dns-records/found-in-dns.tsx'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ADD, StepPanel } from './step-panel.tsx'

const FORM_ID = 'domain-name'

const check = zodResolver(addDomainForm)
const resolver: typeof check = ({ name }, ...rest) => check({ name: typedDomain(name) }, ...rest)

/**
 * The domain that was typed or pasted: without what an address bar puts around it. Whatever else is no domain stays, and
 * is refused: a path or an e-mail address is often somebody else's domain.
 */
export const typedDomain = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')

/** No further typing can make a domain of it; `http:/` is on its way to what an address bar holds. */
export const isBeyondMending = (typed: string): boolean =>
  !isSchemeBegun(typed) && !mayBecomeDomain(typedDomain(typed))

const isSchemeBegun = (typed: string): boolean => /^https?:\/{0,2}$/i.test(typed.trimStart())

type DomainNameStepProps = { takesFocus: boolean; onAdded: (domain: Domain) => void }

/** Step 1: the name of the domain. */
export function DomainNameStep({ takesFocus, onAdded }: DomainNameStepProps) {
  const client = useQueryClient()
  const form = useForm({
    resolver,
    defaultValues: { name: '' },
    mode: 'onTouched',
  })
  useKeptValues('domain', form)
  const add = useCall(addDomain, {
    onSuccess: (domain) => {
      client.setQueryData(keyOf(getDomain, { params: { id: domain._id } }), domain)
      onAdded(domain)
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) showRefusal(error)
    },
  })
  const showRefusal = (error: ApiError) => {
    if (error.type === 'DOMAIN_EXISTS')
      form.setError('name', { type: 'server', message: error.message }, { shouldFocus: true })
    else toastError(error.message || 'Something went wrong')
  }
  const { errors, isValid } = form.formState
  const sayEarly = (typed: string) => {
    if (isBeyondMending(typed)) void form.trigger('name')
    else if (!form.getFieldState('name').isTouched) form.clearErrors('name')
  }
  const sayWhatIsWrong = () =>
    form.setValue('name', form.getValues('name'), { shouldValidate: true, shouldTouch: true })
  return (
    <StepPanel
      title="Add domain"
      description="The part of your addresses after the @. Its DNS stays where it is: you add a few records, and nothing else changes."
      takesFocus={takesFocus}
      buttons={
        <Button type="submit" form={FORM_ID} disabled={!isValid} isPending={add.isPending}>
          Continue
        </Button>
      }
    >
      <form
        id={FORM_ID}
        noValidate
        className="px-5 pt-1 pb-6 sm:px-6"
        onSubmit={form.handleSubmit((body) => add.mutate({ body }))}
      >
        <Field
          label="Enter domain"
          required
          error={errors.name?.message}
          hint={<Hint typed={form.watch('name')} isValid={isValid} />}
          className="max-w-md"
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('name', { onChange: ({ target }) => sayEarly(target.value) })}
              // Continue is disabled then, and a disabled button keeps the browser from submitting.
              onKeyDown={({ key }) => key === 'Enter' && !isValid && sayWhatIsWrong()}
              placeholder={DOMAIN_EXAMPLE}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              inputMode="url"
            />
          )}
        </Field>
      </form>
    </StepPanel>
  )
}

/** Whoever pastes the address of a page is told what is made of it. */
function Hint({ typed, isValid }: { typed: string; isValid: boolean }) {
  const made = typedDomain(typed)
  return isValid && made !== typed.trim()
    ? `This adds ${made}, the domain of that address.`
    : 'A subdomain like mail.example.com works too, and so do names in any script.'
}

type DomainAddedStepProps = {
  domain: Domain
  setting: DnsSetting | null | undefined
  takesFocus: boolean
  onContinue: () => void
}

/** Step 1 seen again after the domain was added: the name is fixed. */
export function DomainAddedStep(props: DomainAddedStepProps) {
  const { domain, setting, takesFocus, onContinue } = props
  return (
    <StepPanel
      title="Add domain"
      description="This domain is in your workspace. Its name cannot change."
      takesFocus={takesFocus}
      buttons={
        <>
          <Button variant="secondary" asChild>
            <Link to={paths.addDomain()} state={{ step: ADD }}>
              Add another domain
            </Link>
          </Button>
          <Button onClick={onContinue}>Continue</Button>
        </>
      }
    >
      <div className="px-5 pt-1 pb-6 sm:px-6">
        <Field label="Enter domain" className="max-w-md">
          {(control) => <Input {...control} value={domain.unicodeName} disabled readOnly />}
        </Field>
      </div>
      <FoundInDns setting={setting} />
    </StepPanel>
  )
}
