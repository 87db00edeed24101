/** The figures of every workspace that the caller is in, by their role in each. */
import { memberCan } from '#contract/rights.ts'
import type { WorkspaceFigures } from '#contract/stats.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { monthOf } from '#server/features/billing/issue-invoice.ts'
import { readWorkspaceFigures } from './workspace-figures-store.ts'

/** Oldest membership first, as in the menu of workspaces. */
export const listWorkspaceFigures = async (app: App, who: Who): Promise<WorkspaceFigures[]> => {
  const { start } = monthOf(app.clock.now())
  const rows = await readWorkspaceFigures(app.db, who.userId, start)
  const hasBilling = app.config.billing !== 'off'
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    role: row.role,
    isCurrent: row.id === who.workspaceId,
    domains: { total: row.domains, active: row.activeDomains, needWork: row.domainsToDo },
    mailboxes: {
      total: row.mailboxes,
      active: row.activeMailboxes,
      suspended: row.suspendedMailboxes,
      inactive: row.mailboxes - row.activeMailboxes - row.suspendedMailboxes,
    },
    storage: { usedBytes: row.usedBytes, quotaBytes: row.quotaBytes },
    members: memberCan(row.role, 'manage-members') ? row.members : null,
    bill:
      hasBilling && memberCan(row.role, 'manage-billing')
        ? {
            monthCents: row.monthCents,
            dueCents: row.dueCents,
            dueInvoices: row.dueInvoices,
            currency: app.config.currency,
          }
        : null,
  }))
}
