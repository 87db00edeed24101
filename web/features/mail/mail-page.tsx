import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function MailPage() {
  usePageTitle('View Mail')
  return <PageHeading title="View Mail" />
}
