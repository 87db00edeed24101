import type { z } from 'zod'
import { mailboxSettingsForm } from '#contract/mail/mailbox-settings.ts'
import { mailboxForm } from '#contract/mailboxes.ts'

/** The fields that the settings of a mailbox change; its address is fixed. */
export const settingsFields = mailboxForm
  .pick({ firstName: true, lastName: true, signature: true })
  .extend({ displayName: mailboxSettingsForm.shape.displayName })
export type SettingsValues = z.input<typeof settingsFields>
