import { EXPORT_DAYS } from '#contract/mail/workspace-exports.ts'
import type { App } from '#server/app.ts'
import { compose, type Mail, workspaceNamed } from '#server/features/outbox/system-mail.ts'

const ADMINS = 'You get this mail because you are an Admin of the workspace.'

/** Where links lead. */
type Here = { config: Pick<App['config'], 'publicUrl'> }

const settingsOf = (app: Here): string => `${app.config.publicUrl}/dashboard/settings`

export const askedMail = (app: Here, { name, askedBy }: { name: string; askedBy: string }): Mail =>
  compose({
    subject: 'Everything in your Mailstead workspace is being exported',
    greeting: 'Hello,',
    before: [
      `${askedBy} asked for one file of everything in ${workspaceNamed(name)}, with the mail of every mailbox. Only Admins can fetch it.`,
      'The access log of each mailbox says so, too.',
    ],
    button: { label: 'See the export', link: settingsOf(app) },
    after: ['If you did not expect this, delete the file there, and ask the person who did it.'],
    reason: ADMINS,
  })

export const doneMail = (app: Here, name: string): Mail =>
  compose({
    subject: 'Your Mailstead export is ready',
    greeting: 'Hello,',
    before: [
      `The file of everything in ${workspaceNamed(name)} is ready. Log in to download it; it is kept for ${EXPORT_DAYS} days.`,
    ],
    button: { label: 'Download it', link: settingsOf(app) },
    after: ['It has the mail of everybody in the workspace: keep it where only you can read it.'],
    reason: ADMINS,
  })

export const failedMail = (app: Here, name: string, reason: string): Mail =>
  compose({
    subject: 'Your Mailstead export could not be made',
    greeting: 'Hello,',
    before: [`The file of everything in ${workspaceNamed(name)} could not be made. ${reason}`],
    button: { label: 'See the export', link: settingsOf(app) },
    after: [],
    reason: ADMINS,
  })
