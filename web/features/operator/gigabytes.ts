/** Numbers as they are typed: texts, checked by what the server takes. */
import { z } from 'zod'
import { quotaBytes } from '#contract/fields.ts'

const GIGABYTE = 1e9

export const toBytes = (gigabytes: string): number => Math.round(Number(gigabytes) * GIGABYTE)
export const toGigabytes = (bytes: number): string => String(bytes / GIGABYTE)

/** A text that `read` makes a value of `shape`. */
export const typed = (read: (text: string) => number, shape: z.ZodType) =>
  z.string().superRefine((text, context) => {
    const { error } = shape.safeParse(text.trim() === '' ? Number.NaN : read(text))
    if (error) context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? '' })
  })

export const gigabytes = typed(toBytes, quotaBytes)
