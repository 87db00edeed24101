import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function AddDomainPage() {
  usePageTitle('Add Domain')
  return <PageHeading title="Add Domain" />
}
