import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { DnsSetting } from '#contract/dns/setting.ts'
import { addDomain, addDomainForm, type Domain, getDomain } from '#contract/domains.ts'
import { DOMAIN_EXAMPLE, mayBecomeDomain } from '#contract/fields.ts'
import { domainInCell } from '#contract/many-mailboxes.ts'
import { FoundInDns } from '#web/dns-records/found-in-dns.tsx'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { meantDomain } from '#web/lib/spelling/misspelled.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ADD, StepPanel } from './step-panel.tsx'

const FORM_ID = 'domain-name'

const check = zodResolver(addDomainForm)
const resolver: typeof check = ({ name }, ...rest) => check({ name: typedDomain(name) }, ...rest)

/**
 * Removes the scheme and the final slash of a pasted URL, and the comma of a list. Anything else that is no domain stays and is refused:
 * the domain of a pasted path or e-mail address often belongs to another person.
 */
export const typedDomain = (typed: string): string =>
  typed
    .trim()
    .replace(/[\s,;]+$/, '')
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')

/**
 * The domain that a pasted link or e-mail address, or the name of a web site, probably means; null when there is none. It is
 * offered and never taken by itself: the name may belong to another person, and a subdomain may be meant.
 */
export function likelyDomain(typed: string): string | null {
  const host = domainInCell(typed).replace(/^.*@/s, '').toLowerCase()
  const name = /^www\.[^.]+\../.test(host) ? host.slice('www.'.length) : host
  const isOther = name !== typedDomain(typed).toLowerCase().replace(/\.$/, '')
  return isOther && addDomainForm.safeParse({ name }).success ? name : null
}

/** True when further typing cannot make it a domain; false for `http:/`, the beginning of a URL. */
export const cannotBecomeDomain = (typed: string): boolean =>
  !isStartOfScheme(typed) && !mayBecomeDomain(typedDomain(typed))

const isStartOfScheme = (typed: string): boolean => /^https?:\/{0,2}$/i.test(typed.trimStart())

type DomainNameStepProps = { takesFocus: boolean; onAdded: (domain: Domain) => void }

/** Step 1: the name of the domain. */
export function DomainNameStep({ takesFocus, onAdded }: DomainNameStepProps) {
  const form: DomainNameForm = useForm({
    resolver,
    defaultValues: { name: '' },
    mode: 'onTouched',
  })
  useKeptValues('domain', form)
  const add = useAddDomain(form, onAdded)
  const { errors, isValid } = form.formState
  const showErrorEarly = (typed: string) => {
    if (cannotBecomeDomain(typed)) void form.trigger('name')
    else if (!form.getFieldState('name').isTouched) form.clearErrors('name')
  }
  const validateNow = () =>
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
        method="post"
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
              {...form.register('name', { onChange: ({ target }) => showErrorEarly(target.value) })}
              // Then Continue is disabled, and a disabled submit button stops Enter from submitting.
              onKeyDown={({ key }) => key === 'Enter' && !isValid && validateNow()}
              placeholder={DOMAIN_EXAMPLE}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              inputMode="url"
            />
          )}
        </Field>
        <Suggestion
          typed={form.watch('name')}
          isValid={isValid}
          isRefused={errors.name !== undefined}
          onTake={(name) => {
            form.setValue('name', name, { shouldValidate: true, shouldTouch: true })
            form.setFocus('name')
          }}
        />
        <p className="mt-4 text-soft text-sm">
          Several domains?{' '}
          <Link
            to={paths.addDomains()}
            className="font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            Add many at once
          </Link>
        </p>
      </form>
    </StepPanel>
  )
}

type SuggestionProps = {
  typed: string
  isValid: boolean
  isRefused: boolean
  onTake: (name: string) => void
}

function Suggestion({ typed, isValid, isRefused, onTake }: SuggestionProps) {
  const other = isValid || isRefused ? likelyDomain(typed) : null
  const name = other ?? (isValid ? meantDomain(typedDomain(typed)) : null)
  return (
    <div aria-live="polite" className="max-w-md">
      {name !== null && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <span className="min-w-0 wrap-anywhere">
            {isValid && other !== null
              ? `www is the name of a web site: addresses usually end in @${name}.`
              : `Did you mean ${name}?`}
          </span>
          <Button size="small" variant="secondary" onClick={() => onTake(name)}>
            Use {name}
          </Button>
        </p>
      )}
    </div>
  )
}

type DomainNameForm = UseFormReturn<{ name: string }>

function useAddDomain(form: DomainNameForm, onAdded: (domain: Domain) => void) {
  const client = useQueryClient()
  const showServerError = (error: ApiError) => {
    if (error.type === 'DOMAIN_EXISTS')
      form.setError('name', { type: 'server', message: error.message }, { shouldFocus: true })
    else toastError(error.message || 'Something went wrong')
  }
  return useCall(addDomain, {
    onSuccess: (domain) => {
      client.setQueryData(keyOf(getDomain, { params: { id: domain._id } }), domain)
      onAdded(domain)
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) showServerError(error)
    },
  })
}

/** Tells which domain a pasted URL adds. */
function Hint({ typed, isValid }: { typed: string; isValid: boolean }) {
  const domainName = typedDomain(typed)
  return isValid && domainName !== typed.trim()
    ? `This adds ${domainName}, the domain of that address.`
    : 'A subdomain like mail.example.com works too, and so do names in any script.'
}

type DomainAddedStepProps = {
  domain: Domain
  setting: DnsSetting | null | undefined
  takesFocus: boolean
  onContinue: () => void
}

/** Step 1 after the domain was added: the name is fixed. */
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
