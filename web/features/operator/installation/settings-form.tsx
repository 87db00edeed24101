/** Who may sign up and what is new gets. Each change holds at once; the rest is set at the start. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod'
import { formatAmount } from '#contract/money.ts'
import {
  changeInstallationSettings,
  getInstallationSettings,
  type InstallationSettings,
  operatedSettings,
  startNames,
} from '#contract/operator/settings.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { FactorRuleCard } from '#web/second-step/factor-rule-card.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { gigabytes, toBytes, toGigabytes, typed } from '../gigabytes.ts'
import { type Fact, Facts } from '../page-parts.tsx'

export function SettingsForm() {
  const { data, error, refetch } = useApi(getInstallationSettings, {})
  if (data)
    return (
      <div className="grid gap-6">
        <FirstStep />
        <Form settings={data} />
        <FactorRuleCard of="installation" />
        <Facts title="Set at the start" facts={startFacts(data)} />
      </div>
    )
  if (!error) return <Skeleton className="h-96 w-full rounded-card" />
  return (
    <Card>
      <ErrorState
        title="Error loading the settings"
        description={error.message}
        onRetry={() => void refetch()}
      />
    </Card>
  )
}

/** After the account of the first operator is made. */
function FirstStep() {
  const [query] = useSearchParams()
  if (query.get('step') !== 'first') return null
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
      <p className="max-w-xl text-pretty text-sm">
        Your account is made. Who may sign up can be changed here at any time; prices are set when
        the program starts. Then see what this installation still lacks.
      </p>
      <Button asChild>
        <Link to={paths.operator()}>Check the installation</Link>
      </Button>
    </Card>
  )
}

const schema = z.object({
  signUp: operatedSettings.shape.signUp,
  gigabytes,
  domainMailboxLimit: typed(Number, operatedSettings.shape.domainMailboxLimit),
})

const ways = [
  { value: 'open', label: 'Everybody' },
  { value: 'invite', label: 'Whom a workspace invites' },
  { value: 'closed', label: 'Nobody' },
] as const

/** What holds now. */
const valuesOf = ({ start, chosen }: InstallationSettings): z.infer<typeof schema> => ({
  signUp: chosen.signUp ?? start.signUp,
  gigabytes: toGigabytes(chosen.storageQuotaBytes ?? start.storageQuotaBytes),
  domainMailboxLimit: String(chosen.domainMailboxLimit ?? start.domainMailboxLimit),
})

function useSettingsForm(settings: InstallationSettings) {
  const client = useQueryClient()
  const form = useForm({
    resolver: zodResolver(schema),
    values: valuesOf(settings),
    // What another operator saved appears, but does not overwrite typed values.
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  const { isDirty, dirtyFields } = form.formState
  const unsaved = useUnsavedChanges(isDirty)
  const save = useCall(changeInstallationSettings, {
    onSuccess: (saved) => {
      form.reset(valuesOf(saved), { keepDirtyValues: false, keepErrors: false })
      client.setQueryData(keyOf(getInstallationSettings, {}), saved)
      toast({ title: 'Settings saved', variant: 'success' })
    },
    onError: (error) => showRefusal(form, error),
  })
  // What was not touched keeps its default, also when that changes.
  const submit = form.handleSubmit((values) =>
    save.mutate({
      body: {
        ...(dirtyFields.signUp && { signUp: values.signUp }),
        ...(dirtyFields.gigabytes && { storageQuotaBytes: toBytes(values.gigabytes) }),
        ...(dirtyFields.domainMailboxLimit && {
          domainMailboxLimit: Number(values.domainMailboxLimit),
        }),
      },
    }),
  )
  return { form, save, submit, unsaved }
}

function Form({ settings }: { settings: InstallationSettings }) {
  const { start, chosen } = settings
  const { form, save, submit, unsaved } = useSettingsForm(settings)
  const { control, register } = form
  const { errors } = form.formState
  const isChosen = Object.values(chosen).some((value) => value !== null)
  return (
    <Card>
      <CardHeader title="Settings" description="A change holds at once, and stands in the log." />
      <form onSubmit={submit} noValidate className="grid gap-5 border-line border-t p-5 *:max-w-xl">
        <SelectField
          control={control}
          name="signUp"
          label="Who may sign up"
          hint={sourceOf('signUp', chosen, labelOf(start.signUp))}
          options={ways}
        />
        <Field
          label="Storage of a new workspace, in gigabytes"
          hint={sourceOf('storageQuotaBytes', chosen, `${toGigabytes(start.storageQuotaBytes)} GB`)}
          error={errors.gigabytes?.message}
        >
          {(control) => <Input {...control} {...register('gigabytes')} inputMode="decimal" />}
        </Field>
        <Field
          label="Mailboxes of a domain"
          hint={sourceOf('domainMailboxLimit', chosen, formatCount(start.domainMailboxLimit))}
          error={errors.domainMailboxLimit?.message}
        >
          {(control) => (
            <Input {...control} {...register('domainMailboxLimit')} inputMode="numeric" />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isPending={save.isPending}>
            {save.isPending ? 'Saving...' : 'Save'}
          </Button>
          {isChosen && (
            <Button
              variant="secondary"
              disabled={save.isPending}
              onClick={() =>
                save.mutate({
                  body: { signUp: null, storageQuotaBytes: null, domainMailboxLimit: null },
                })
              }
            >
              Back to the defaults
            </Button>
          )}
        </div>
      </form>
      {unsaved.question}
    </Card>
  )
}

const labelOf = (signUp: string): string =>
  ways.find(({ value }) => value === signUp)?.label ?? signUp

/** Which of both holds. */
const sourceOf = (
  name: keyof typeof startNames,
  chosen: InstallationSettings['chosen'],
  start: string,
): string =>
  chosen[name] === null
    ? `Default, from ${startNames[name]}.`
    : `Changed here. The default is ${start} (${startNames[name]}).`

const startFacts = ({ price }: InstallationSettings): Fact[] =>
  price === null
    ? [['Price of a mailbox', 'Mailboxes cost nothing, by BILLING=off']]
    : [
        ['Price of a mailbox and month (MAILBOX_PRICE)', formatAmount(price.cents, price.currency)],
        ['Tax in it (TAX_RATE)', `${price.taxRate / 100}% ${price.taxName}`],
        ['Who sells (SELLER_NAME)', price.seller],
        ['Days until an invoice is due (INVOICE_DUE_DAYS)', formatCount(price.dueDays)],
      ]
