import type { z } from 'zod'
import { mailboxForm } from '#contract/mailboxes.ts'

/** What the settings of a mailbox change; its address is fixed. */
export const settingsFields = mailboxForm.pick({ firstName: true, lastName: true, signature: true })
export type SettingsValues = z.input<typeof settingsFields>
