import { Inbox } from 'lucide-react'
import type { Folder, FolderRole } from '#contract/messages.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

/** How mail comes into it. */
const ways: Record<FolderRole, string> = {
  inbox: 'New messages appear here by themselves.',
  sent: 'What you send is kept here.',
  drafts: 'What you begin to write is kept here until you send it.',
  junk: 'New messages that look like junk come here, not to the Inbox.',
  trash: 'What you delete is kept here until you delete it for good.',
  archive: 'What you archive leaves the Inbox and is kept here.',
}

export function EmptyFolder({ folder, label }: { folder: Folder | undefined; label: string }) {
  const way = folder?.role ? ways[folder.role] : 'Select messages elsewhere and move them here.'
  return <EmptyState icon={Inbox} title={`Nothing in ${label}`} description={folder && way} />
}
