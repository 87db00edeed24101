import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function ProfilePage() {
  usePageTitle('Profile')
  return <PageHeading title="Profile" />
}
