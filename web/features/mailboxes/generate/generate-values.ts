/** The form of the auto-generate dialog: what the server takes, and the kind of names. */
import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { MAX_GENERATED_PER_DOMAIN } from '#contract/fields.ts'
import { generatedName, generateForm } from '#contract/mailboxes.ts'
import { NAME_TYPES, type NameType } from './random-names.ts'

const types = NAME_TYPES.map((type) => type.value)

const generateDialogForm = generateForm.safeExtend({
  nameType: z.enum(types, 'At least one name must be selected'),
  // None at all are too few for the count, like some: until a type is chosen its own message says enough.
  names: z.array(generatedName).max(MAX_GENERATED_PER_DOMAIN),
})

type GenerateReady = z.output<typeof generateDialogForm>

/** As typed: a choice that is not made yet is null. */
export type GenerateValues = {
  domains: string[]
  count: number | null
  nameType: NameType | null
  names: { firstName: string; lastName: string }[]
  signature: string
}

export type GenerateForm = UseFormReturn<GenerateValues, unknown, GenerateReady>

/** A choice not made yet is no value that the form takes: it is refused with its message. */
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

/** What must be right before the step after it opens. */
export const fieldsOfStep = [
  ['domains', 'count'],
  ['nameType', 'names'],
  ['signature'],
] as const satisfies (keyof GenerateValues)[][]

/** Which step shows this field. */
export const stepOfField = (field: string): number =>
  Math.max(
    0,
    fieldsOfStep.findIndex((fields) => (fields as readonly string[]).includes(field)),
  )
