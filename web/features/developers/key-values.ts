/** What the form of a key holds, and what of it is sent: all of a new key, and of one that is changed what differs. */
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { type ApiKey, apiKeyForm, type KeyKind } from '#contract/developers/api-keys.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { endOfDay, lastDayBefore } from '#web/lib/time/end-of-day.ts'

const CHOOSE = 'Please choose at least one'

export const keySchema = z
  .object({
    name: apiKeyForm.shape.name,
    scopes: apiKeyForm.shape.scopes,
    reach: z.object({
      isNarrowed: z.boolean(),
      domains: z.array(z.string()),
      mailboxes: z.array(z.string()),
    }),
    lastDay: z.string(),
    ips: z.string(),
  })
  .refine(({ reach }) => !reach.isNarrowed || reach.domains.length + reach.mailboxes.length > 0, {
    path: ['reach'],
    message: CHOOSE,
  })
export type KeyValues = z.input<typeof keySchema>

export const emptyKey: KeyValues = {
  ...{ name: '', scopes: [], lastDay: '', ips: '' },
  reach: { isNarrowed: false, domains: [], mailboxes: [] },
}

export const valuesOf = ({
  name,
  scopes,
  expiresAt,
  ips,
  domains,
  mailboxes,
}: ApiKey): KeyValues => ({
  ...{ name, scopes, ips: ips.join(', '), lastDay: lastDayBefore(expiresAt) },
  reach: {
    isNarrowed: domains !== null || mailboxes !== null,
    domains: domains ?? [],
    mailboxes: mailboxes ?? [],
  },
})

/** As people write lists: by commas, spaces or lines. */
const listOf = (text: string): string[] => text.split(/[\s,;]+/u).filter(Boolean)
const orNull = (ids: string[]): string[] | null => (ids.length === 0 ? null : ids)

const bodyOf = ({ name, scopes, reach, lastDay, ips }: KeyValues) => ({
  ...{ name, scopes, expiresAt: endOfDay(lastDay), ips: listOf(ips) },
  domains: reach.isNarrowed ? orNull(reach.domains) : null,
  mailboxes: reach.isNarrowed ? orNull(reach.mailboxes) : null,
})

export const newKeyOf = (kind: KeyKind, values: KeyValues) => ({ kind, ...bodyOf(values) })

/** A day that stays says nothing of the hour, which a program may have chosen. */
export const changeOf = (key: ApiKey, values: KeyValues): Partial<ReturnType<typeof bodyOf>> => {
  const [before, after] = [bodyOf(valuesOf(key)), bodyOf(values)]
  const differs = (name: keyof typeof after) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const { name, scopes, ips, expiresAt, domains, mailboxes } = after
  return {
    ...(differs('name') && { name }),
    ...(differs('scopes') && { scopes }),
    ...(differs('ips') && { ips }),
    ...(differs('expiresAt') && { expiresAt }),
    ...((differs('domains') || differs('mailboxes')) && { domains, mailboxes }),
  }
}

/** @returns false when the refusal is of no field of this form */
export const showRefusedFields = (form: UseFormReturn<KeyValues>, error: ApiError): boolean => {
  const { expiresAt, ...rest } = error.data
  const ofNetworks = Object.entries(rest).find(([name]) => /^ips\b/.test(name))?.[1]
  const ofReach = rest.domains ?? rest.mailboxes
  if (typeof expiresAt === 'string') form.setError('lastDay', { message: expiresAt })
  else if (typeof ofNetworks === 'string') form.setError('ips', { message: ofNetworks })
  else if (typeof ofReach === 'string') form.setError('reach', { message: ofReach })
  else return showFieldErrors(form, error)
  return true
}
