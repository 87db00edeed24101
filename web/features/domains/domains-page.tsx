import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function DomainsPage() {
  usePageTitle('Domains')
  return <PageHeading title="Domains" />
}
