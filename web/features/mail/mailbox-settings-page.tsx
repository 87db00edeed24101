import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function MailboxSettingsPage() {
  usePageTitle('Mailbox settings')
  return <PageHeading title="Mailbox settings" />
}
