import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  return <PageHeading title="Settings" />
}
