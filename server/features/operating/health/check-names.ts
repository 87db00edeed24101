/** The names that the settings have, and where the mail of the installation itself goes. */
import { trialSettings } from '#server/features/domains/trial.ts'
import { type Check, good, setting, wrong } from './finding.ts'

export const checkNames: Check = async ({ config }) => {
  const { mailHost, publicUrl } = config
  const trial = trialSettings(config)
  if (trial.length === 0) return [good(`Mail comes to ${mailHost}, and people to ${publicUrl}.`)]
  return [
    wrong(
      `This is a trial: ${trial.join(' and ')} ${trial.length === 1 ? 'names' : 'name'} no public place, so nobody outside reaches it.`,
      'Set public names and start again; then everything else is tried, too.',
      setting('PUBLIC_URL=https://mail.example.com', 'MAIL_HOST=mail.example.com'),
    ),
  ]
}

export const checkSystemMail: Check = async ({ config }) => {
  const { systemMail, isLocal, systemFrom } = config
  if (systemMail === 'send') return [good(`It is sent, from ${systemFrom}.`)]
  if (isLocal) return [good('It is kept here, at /dev/outbox, as a trial needs it.')]
  return [
    wrong(
      'Mail with links for sign-up and passwords is kept here, and nobody gets it.',
      'Let it be sent, and start again.',
      setting('SYSTEM_MAIL=send'),
    ),
  ]
}
