/** What operators do, as the audit log of the workspace that it concerns says it; or why it is not there (decision 127). */
import type { OperatorVerb } from '#contract/operator/actions.ts'
import type { AuditTopic } from '#contract/workspace/audit-log.ts'

type Recorded = { topic: AuditTopic; what: string }

const ofInstallation = { never: 'it is of the installation' }

export const recordedVerbs: Record<OperatorVerb, Recorded | { never: string }> = {
  'workspace suspend': { topic: 'settings', what: 'Suspend sending from the workspace' },
  'workspace resume': { topic: 'settings', what: 'Let the workspace send again' },
  'workspace quota': { topic: 'settings', what: 'Change the storage of the workspace' },
  'workspace export': { topic: 'access', what: 'Export the workspace' },
  'workspace delete': { topic: 'settings', what: 'Delete the workspace' },
  'workspace restore': { topic: 'settings', what: 'Restore from a backup' },
  'mailbox restore': { topic: 'mailboxes', what: 'Restore a mailbox from a backup' },
  'user make-admin': { topic: 'members', what: 'Make an account an Admin' },
  'user reset-link': { topic: 'members', what: 'Make a link to set a new password' },
  'user reset-factor': { topic: 'members', what: 'Reset the second factor of a person' },
  'user end-sessions': { topic: 'members', what: 'Sign a person out everywhere' },
  'user export': { never: 'it is a person’s own' },
  'user delete': { never: 'each workspace says that a member was removed' },
  'queue retry': { never: 'what waits is only tried sooner' },
  'queue hold': { topic: 'mailboxes', what: 'Hold mail that waits to be sent' },
  'queue release': { topic: 'mailboxes', what: 'Release mail that was held' },
  'queue drop': { topic: 'mailboxes', what: 'Drop mail that waits to be sent' },
  'sender stop': { topic: 'mailboxes', what: 'Stop sending from a mailbox' },
  'sender resume': { topic: 'mailboxes', what: 'Let a mailbox send again' },
  'key end': { topic: 'keys', what: 'End an API key' },
  'invoice paid': { topic: 'money', what: 'Mark an invoice as paid' },
  'invoice void': { topic: 'money', what: 'Take an invoice back' },
  'invoice refund': { topic: 'money', what: 'Refund a payment' },
  'domain limit': { topic: 'domains', what: 'Change how many mailboxes a domain may have' },
  'operator link': ofInstallation,
  'operator add': ofInstallation,
  'operator remove': ofInstallation,
  announce: ofInstallation,
  'announce end': ofInstallation,
  'blocklist add': ofInstallation,
  'blocklist remove': ofInstallation,
  'setting change': ofInstallation,
  'certificate ask': ofInstallation,
  'certificate revoke': ofInstallation,
  backup: ofInstallation,
  restore: ofInstallation,
  'upgrade finish': ofInstallation,
}
