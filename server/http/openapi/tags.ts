/** The groups of the OpenAPI document, in the order in which a developer needs them, and the paths of each. */
import type { Route } from '#contract/route.ts'

type Tag = { name: string; description: string; paths: string[] }

const tags: Tag[] = [
  {
    name: 'Signing in',
    description: 'Accounts, sessions and their access tokens.',
    paths: ['/auth', '/oauth', '/second-factor', '/passkeys', '/sessions', '/step-up'],
  },
  {
    name: 'API keys',
    description: 'Keys for programs: what each may do, and when it was last used.',
    paths: ['/api-keys', '/key', '/scopes'],
  },
  {
    name: 'Workspaces',
    description: 'A workspace owns domains, mailboxes and invoices. One account may be in many.',
    paths: ['/workspaces', '/company', '/workspace-settings', '/stats', '/views', '/first-steps'],
  },
  {
    name: 'Members',
    description: 'Who is in a workspace, in which role, and who is invited.',
    paths: ['/members', '/invitations', '/people'],
  },
  {
    name: 'Domains',
    description: 'Domains of a workspace. A domain is active when its DNS records are verified.',
    paths: ['/domains', '/domain-ownership'],
  },
  {
    name: 'DNS records',
    description:
      'The records that a domain needs, what DNS has, and links that show both to the administrator of the DNS.',
    paths: [
      '/dns-records',
      '/dns-links',
      '/domains/{id}/dns',
      '/domains/{id}/dns-links',
      '/domains/{id}/optional-records',
      '/domains/{id}/zone-file',
      '/domains/batch/records',
    ],
  },
  {
    name: 'Mailboxes',
    description: 'Addresses with their own mail, their aliases, settings and app passwords.',
    paths: ['/mailboxes', '/domains/{id}/catch-all'],
  },
  {
    name: 'Access to mailboxes',
    description: 'Who signs in with the address of a mailbox, who reads it, and the log of both.',
    paths: [
      '/access',
      '/access-log',
      '/mailboxes/access-links',
      '/mailboxes/{id}/access',
      '/mailboxes/{id}/hand-over',
      '/mailboxes/{id}/readers',
    ],
  },
  {
    name: 'Messages',
    description: 'The mail of one mailbox: folders, messages, conversations, searches.',
    paths: [
      '/mailboxes/{id}/ahead',
      '/mailboxes/{id}/changes',
      '/mailboxes/{id}/conversations',
      '/mailboxes/{id}/deleted-messages',
      '/mailboxes/{id}/folders',
      '/mailboxes/{id}/messages',
      '/mailboxes/{id}/picture-senders',
      '/mailboxes/{id}/search',
    ],
  },
  {
    name: 'Sending',
    description: 'Write and send mail, follow it to its recipients, and what a mailbox may send.',
    paths: [
      '/mailboxes/sending-stops',
      '/mailboxes/{id}/drafts',
      '/mailboxes/{id}/messages/{messageId}/journey',
      '/mailboxes/{id}/recipients',
      '/mailboxes/{id}/sending',
      '/mailboxes/{id}/sends',
      '/mailboxes/{id}/uploads',
      '/domains/{id}/test-mail',
    ],
  },
  {
    name: 'Events',
    description: 'What changes in the workspaces of the caller, as it happens.',
    paths: ['/events', '/webhooks'],
  },
  {
    name: 'Billing',
    description: 'Prices, invoices and payments. Amounts are integer cents.',
    paths: ['/invoices', '/payments', '/billing', '/stripe', '/cards', '/checkout'],
  },
  {
    name: 'Import and export',
    description: 'Mail as mbox files, and everything of a workspace as one file.',
    paths: [
      '/mailboxes/{id}/imports',
      '/mailboxes/{id}/exports',
      '/mail-exports',
      '/workspace-exports',
      '/workspace-export-files',
    ],
  },
  {
    name: 'Deleting',
    description: 'What ends with a deletion, and taking it back while it waits for its end.',
    paths: [
      '/deleted',
      '/domains/{id}/deletion',
      '/mailboxes/{id}/deletion',
      '/workspaces/{id}/deletion',
    ],
  },
  {
    name: 'Account',
    description: 'The account of the caller, and what they prefer.',
    paths: ['/profile', '/preferences', '/account', '/devices'],
  },
  {
    name: 'Audit log',
    description: 'Who changed what in a workspace.',
    paths: ['/audit-log', '/audit'],
  },
  {
    name: 'Installation',
    description: 'What this installation offers, and what its operators announce.',
    paths: ['/installation', '/announcements'],
  },
  {
    name: 'Sandbox DNS',
    description: 'Only in the demo: the zones of its DNS server.',
    paths: ['/sandbox-dns'],
  },
]

const operatorTags: Tag[] = [
  {
    name: 'Operating',
    description: 'For the operators of an installation: its workspaces, accounts, mail and health.',
    paths: ['/operator'],
  },
]

export const isForOperators = (route: Route): boolean => route.path.startsWith('/operator/')

const covers = (begin: string, path: string): boolean => `${path}/`.startsWith(`${begin}/`)

/** @throws for a path of no group */
export const tagOf = (route: Route): string => {
  const candidates = [...tags, ...operatorTags].flatMap(({ name, paths }) =>
    paths.filter((begin) => covers(begin, route.path)).map((begin) => ({ name, begin })),
  )
  const [longest] = candidates.toSorted((a, b) => b.begin.length - a.begin.length)
  if (longest === undefined) throw new Error(`no group of openapi/tags.ts has ${route.path}`)
  return longest.name
}

/** Those that these routes need, in order. */
export const tagsOf = (routes: readonly Route[]): { name: string; description: string }[] => {
  const used = new Set(routes.map(tagOf))
  return [...tags, ...operatorTags]
    .filter(({ name }) => used.has(name))
    .map(({ name, description }) => ({ name, description }))
}
