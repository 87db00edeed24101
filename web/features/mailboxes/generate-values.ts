/** The form of the auto-generate dialog: the fields of the request and the type of names. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import type { Resolver, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { MAX_GENERATED_PER_DOMAIN } from '#contract/fields.ts'
import {
  generatedName,
  generateForm,
  generateMailboxes,
  type Mailbox,
} from '#contract/mailboxes.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import type { LocalImages } from '#web/ui/editor/local-images.ts'
import { NAME_TYPES, type NameType } from './random-names.ts'

const types = NAME_TYPES.map((type) => type.value)

const generateDialogForm = generateForm.safeExtend({
  nameType: z.enum(types, 'At least one name must be selected'),
  // No minimum here: until a type is chosen, the message of that field is enough.
  names: z.array(generatedName).max(MAX_GENERATED_PER_DOMAIN),
})

type GenerateReady = z.output<typeof generateDialogForm>

/** The values as entered; null: not chosen yet. */
export type GenerateValues = {
  domains: string[]
  count: number | null
  nameType: NameType | null
  names: { firstName: string; lastName: string }[]
  signature: string
}

export type GenerateForm = UseFormReturn<GenerateValues, unknown, GenerateReady>

/** null is refused with the message of its field. */
export const generateResolver = zodResolver(generateDialogForm) as Resolver<
  GenerateValues,
  unknown,
  GenerateReady
>

export const emptyValues: GenerateValues = {
  domains: [],
  count: null,
  nameType: null,
  names: [],
  signature: '',
}

export const STEPS = ['Domains', 'Names', 'Signature'] as const

/** Fields that must be valid before the next step opens. */
export const fieldsOfStep = [
  ['domains', 'count'],
  ['nameType', 'names'],
  ['signature'],
] as const satisfies (keyof GenerateValues)[][]

/** Returns the step that shows a field. */
export const stepOfField = (field: string): number =>
  Math.max(
    0,
    fieldsOfStep.findIndex((fields) => (fields as readonly string[]).includes(field)),
  )

type GenerateOptions = {
  form: GenerateForm
  images: LocalImages
  hasBilling: boolean
  onStep: (step: number) => void
  onDone: (mailboxes: readonly Mailbox[]) => void
}

/** Submits the form with its pictures, and shows errors at their step. */
export function useGenerate({ form, images, hasBilling, onStep, onDone }: GenerateOptions) {
  const [refusal, setRefusal] = useState('')
  const [isEmbedding, setIsEmbedding] = useState(false)
  const generate = useCall(generateMailboxes, {
    onSuccess: (mailboxes) => {
      onDone(mailboxes)
      toast({
        title: `${formatCount(mailboxes.length)} ${mailboxes.length === 1 ? 'mailbox' : 'mailboxes'} created`,
        description: hasBilling ? 'They become active when they are paid for.' : '',
        variant: 'success',
      })
    },
    onError: (error) => {
      const [field] = Object.keys(error.data)
      if (error.type === 'VALIDATION' && field) onStep(stepOfField(field.split('.')[0] ?? ''))
      if (showFieldErrors(form, error)) return
      const { domain } = error.data
      if (typeof domain !== 'string') return setRefusal(error.message)
      // Names the domain that was refused, at the step where the user can remove it.
      onStep(stepOfField('domains'))
      const message = error.message.replace(/^This domain/, domain)
      form.setError('domains', { type: 'server', message })
    },
  })
  const submit = form.handleSubmit(async ({ nameType: _, signature = '', ...values }) => {
    setRefusal('')
    setIsEmbedding(true)
    const embedded = await images.embed(signature).finally(() => setIsEmbedding(false))
    generate.mutate({ body: { ...values, ...(embedded ? { signature: embedded } : {}) } })
  })
  return { submit: () => void submit(), isPending: isEmbedding || generate.isPending, refusal }
}
