/** What operators of this installation see and do, a tab for each part of it. */
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useIsOperator } from '#web/lib/api/use-can.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { ActionList } from './action-list.tsx'
import { Finder } from './finder.tsx'
import { AlertsPart } from './installation/alerts-part.tsx'
import { AnnouncementList } from './installation/announcement-list.tsx'
import { BackupsPart } from './installation/backups-part.tsx'
import { HealthList } from './installation/health-list.tsx'
import { SettingsForm } from './installation/settings-form.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { ListedSenders } from './mail/listed-senders.tsx'
import { MailLog } from './mail/mail-log.tsx'
import { QueueList } from './mail/queue-list.tsx'
import { SenderList } from './mail/sender-list.tsx'
import { MailboxList } from './mailbox-list.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { PeopleList } from './people-list.tsx'
import { loadWorkspaces, WorkspaceList } from './workspace-list.tsx'

const tabs = [
  'health',
  'workspaces',
  'people',
  'mailboxes',
  'invoices',
  'mails',
  'queue',
  'senders',
  'lists',
  'announcements',
  'alerts',
  'settings',
  'log',
] as const

export function OperatorPage() {
  usePageTitle('Operator')
  const [tab, openTab] = useTab(tabs)
  const isOperator = useIsOperator()
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Operator"
        subtitle="All of this installation: what it lacks, sizes, people and what waits. Nobody's mail is shown here"
        actions={isOperator && <Finder />}
      />
      <OperatorsOnly>
        <Tabs
          aria-label="Operator"
          value={tab}
          onValueChange={openTab}
          tabs={[
            { value: 'health', label: 'Health', content: <HealthList /> },
            { value: 'workspaces', label: 'Workspaces', content: <WorkspaceList /> },
            { value: 'people', label: 'People', content: <PeopleList /> },
            { value: 'mailboxes', label: 'Mailboxes', content: <MailboxList /> },
            { value: 'invoices', label: 'Invoices', content: <InvoiceList /> },
            { value: 'mails', label: 'Mail', content: <MailLog /> },
            { value: 'queue', label: 'Queue', content: <QueueList /> },
            { value: 'senders', label: 'Senders', content: <SenderList /> },
            { value: 'lists', label: 'Lists', content: <ListedSenders /> },
            { value: 'announcements', label: 'Announcements', content: <AnnouncementList /> },
            {
              value: 'alerts',
              label: 'Alerts and backups',
              content: (
                <div className="grid gap-6">
                  <AlertsPart />
                  <BackupsPart />
                </div>
              ),
            },
            { value: 'settings', label: 'Settings', content: <SettingsForm /> },
            { value: 'log', label: 'Log', content: <ActionList /> },
          ]}
        />
      </OperatorsOnly>
    </div>
  )
}

/** Health is not waited for: it asks servers elsewhere. */
export const loadOperator: LoadPage = async ({ ask, query }) => {
  if (query.get('tab') === 'workspaces') await loadWorkspaces(ask, query)
}
