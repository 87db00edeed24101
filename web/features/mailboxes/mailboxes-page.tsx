import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function MailboxesPage() {
  usePageTitle('Mailboxes')
  return <PageHeading title="Mailboxes" />
}
