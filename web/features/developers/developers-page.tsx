/** What a program needs to work with this workspace: its API keys. */
import { listApiKeys } from '#contract/developers/api-keys.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { KeysTab } from './keys-tab.tsx'

export function DevelopersPage() {
  usePageTitle('Developers')
  const [tab, openTab] = useTab(['keys'])
  return (
    <div className="grid gap-6">
      <PageHeading title="Developers" subtitle="Programs that work with this workspace" />
      <Tabs
        aria-label="Developers"
        value={tab}
        onValueChange={openTab}
        tabs={[{ value: 'keys', label: 'API keys', content: <KeysTab /> }]}
      />
    </div>
  )
}

export const loadDevelopers: LoadPage = ({ ask }) => ask(listApiKeys, {})
