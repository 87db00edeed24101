/** Every page of the dashboard: its title, its place in the menu, and how it is loaded when it is opened. */
import { Globe, House, Inbox, type LucideIcon, Settings } from 'lucide-react'
import type { ComponentType } from 'react'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import type { DashboardPath } from './paths.ts'

export type DashboardPage = {
  /** In the header. */
  title: string
  /** An entry of the menu; or below one, where only a title shows the page as an entry of its own. */
  menu?: { icon: LucideIcon } | { below: DashboardPath; title?: string }
  open: () => Promise<{ Component: ComponentType; load: LoadPage }>
}

const openMailboxes = async () => {
  const file = await import('#web/features/mailboxes/mailboxes-page.tsx')
  return { Component: file.MailboxesPage, load: file.loadMailboxes }
}

export const dashboardPages: Record<DashboardPath, DashboardPage> = {
  dashboard: {
    title: 'Dashboard',
    menu: { icon: House },
    open: async () => {
      const file = await import('#web/features/home/home-page.tsx')
      return { Component: file.HomePage, load: file.loadHome }
    },
  },
  domains: {
    title: 'Domains',
    menu: { icon: Globe },
    open: async () => {
      const file = await import('#web/features/domains/domains-page.tsx')
      return { Component: file.DomainsPage, load: file.loadDomains }
    },
  },
  domain: {
    title: 'Domain',
    open: async () => {
      const file = await import('#web/features/domains/page/domain-page.tsx')
      return { Component: file.DomainPage, load: file.loadDomain }
    },
  },
  addDomain: {
    title: 'Add Domain',
    menu: { below: 'domains' },
    open: async () => {
      const file = await import('#web/features/domains/add-domain-page.tsx')
      return { Component: file.AddDomainPage, load: file.loadAddDomain }
    },
  },
  addDomains: {
    title: 'Add Domains',
    menu: { below: 'domains' },
    open: async () => {
      const file = await import('#web/features/domains/many/add-many-page.tsx')
      return { Component: file.AddManyPage, load: file.loadAddMany }
    },
  },
  sandboxDns: {
    title: 'Sandbox DNS',
    menu: { below: 'domains' },
    open: async () => {
      const file = await import('#web/features/sandbox-dns/sandbox-dns-page.tsx')
      return { Component: file.SandboxDnsPage, load: file.loadSandboxDns }
    },
  },
  mailboxes: { title: 'Mailboxes', menu: { icon: Inbox }, open: openMailboxes },
  newMailbox: {
    title: 'Mailboxes',
    menu: { below: 'mailboxes', title: 'Add new Mailbox' },
    open: openMailboxes,
  },
  viewMail: {
    title: 'View Mail',
    menu: { below: 'mailboxes', title: 'View Mailbox' },
    open: async () => {
      const file = await import('#web/features/mail/mail-page.tsx')
      return { Component: file.MailPage, load: file.loadMail }
    },
  },
  mailboxSettings: {
    title: 'Mailbox settings',
    menu: { below: 'mailboxes', title: 'Mailbox setting' },
    open: async () => {
      const file = await import('#web/features/mailbox-settings/mailbox-settings-page.tsx')
      return { Component: file.MailboxSettingsPage, load: file.loadMailboxSettings }
    },
  },
  setUpMail: {
    title: 'Mail programs',
    menu: { below: 'mailboxes' },
    open: async () => {
      const file = await import('#web/features/mailbox-settings/set-up/set-up-page.tsx')
      return { Component: file.SetUpPage, load: file.loadSetUp }
    },
  },
  access: {
    title: 'Access',
    menu: { below: 'mailboxes' },
    open: async () => {
      const file = await import('#web/features/mailbox-access/access-page.tsx')
      return { Component: file.AccessPage, load: file.loadAccess }
    },
  },
  workspaces: {
    title: 'Workspaces',
    open: async () => {
      const file = await import('#web/features/workspaces/workspaces-page.tsx')
      return { Component: file.WorkspacesPage, load: file.loadWorkspaces }
    },
  },
  settings: {
    title: 'Settings',
    menu: { icon: Settings },
    open: async () => {
      const file = await import('#web/features/settings/settings-page.tsx')
      return { Component: file.SettingsPage, load: file.loadSettings }
    },
  },
  profile: {
    title: 'Profile',
    open: async () => {
      const file = await import('#web/features/profile/profile-page.tsx')
      return { Component: file.ProfilePage, load: file.loadProfile }
    },
  },
  developers: {
    title: 'Developers',
    menu: { below: 'settings' },
    open: async () => {
      const file = await import('#web/features/developers/developers-page.tsx')
      return { Component: file.DevelopersPage, load: file.loadDevelopers }
    },
  },
  apiKey: {
    title: 'API key',
    open: async () => {
      const file = await import('#web/features/developers/key-page.tsx')
      return { Component: file.KeyPage, load: file.loadApiKey }
    },
  },
  webhook: {
    title: 'Webhook',
    open: async () => {
      const file = await import('#web/features/developers/webhook-page.tsx')
      return { Component: file.WebhookPage, load: file.loadWebhook }
    },
  },
  security: {
    title: 'Security',
    open: async () => {
      const file = await import('#web/features/security/security-page.tsx')
      return { Component: file.SecurityPage, load: file.loadSecurity }
    },
  },
  auditLog: {
    title: 'Audit log',
    menu: { below: 'settings' },
    open: async () => {
      const file = await import('#web/features/audit-log/audit-log-page.tsx')
      return { Component: file.AuditLogPage, load: file.loadAuditLog }
    },
  },
  operator: {
    title: 'Operator',
    open: async () => {
      const file = await import('#web/features/operator/operator-page.tsx')
      return { Component: file.OperatorPage, load: file.loadOperator }
    },
  },
  operatedWorkspace: {
    title: 'Workspace',
    open: async () => {
      const file = await import('#web/features/operator/workspace-page.tsx')
      return { Component: file.WorkspacePage, load: file.loadWorkspace }
    },
  },
  operatedPerson: {
    title: 'Person',
    open: async () => {
      const file = await import('#web/features/operator/person-page.tsx')
      return { Component: file.PersonPage, load: file.loadPerson }
    },
  },
  operatedMailbox: {
    title: 'Mailbox',
    open: async () => {
      const file = await import('#web/features/operator/mailbox-page.tsx')
      return { Component: file.MailboxPage, load: file.loadMailbox }
    },
  },
  operatedInvoice: {
    title: 'Invoice',
    open: async () => {
      const file = await import('#web/features/operator/invoice-page.tsx')
      return { Component: file.OperatedInvoicePage, load: file.loadOperatedInvoice }
    },
  },
  invoice: {
    title: 'Invoice',
    open: async () => {
      const file = await import('#web/features/invoices/invoice-page.tsx')
      return { Component: file.InvoicePage, load: file.loadInvoice }
    },
  },
}
