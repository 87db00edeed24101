/** What the scopes of a key mean, in plain words. */
import type { KeyScope } from '#contract/developers/scopes.ts'

export type ScopeGroup = { title: string; scopes: readonly { scope: KeyScope; words: string }[] }

/** In the order in which the form and the page of a key show them. */
export const scopeGroups: readonly ScopeGroup[] = [
  {
    title: 'Domains',
    scopes: [
      { scope: 'domains:read', words: 'See domains and their DNS records' },
      { scope: 'domains:write', words: 'Add, check and change domains' },
    ],
  },
  {
    title: 'Mailboxes',
    scopes: [
      { scope: 'mailboxes:read', words: 'See mailboxes, aliases and settings' },
      { scope: 'mailboxes:write', words: 'Make, change and delete mailboxes' },
    ],
  },
  {
    title: 'Access to mailboxes',
    scopes: [
      { scope: 'access:read', words: 'See who signs in to a mailbox and who reads it' },
      { scope: 'access:write', words: 'Give people mailboxes, and take them back' },
    ],
  },
  {
    title: 'Mail',
    scopes: [
      { scope: 'mail:send', words: 'Send mail' },
      { scope: 'messages:read', words: 'Read mail, and follow what was sent' },
      { scope: 'messages:write', words: 'File, mark and delete mail, and save drafts' },
    ],
  },
  {
    title: 'Members',
    scopes: [
      { scope: 'members:read', words: 'See members and invitations' },
      { scope: 'members:write', words: 'Invite members, change roles, remove members' },
    ],
  },
  {
    title: 'Billing',
    scopes: [
      { scope: 'billing:read', words: 'See invoices and the company' },
      { scope: 'billing:write', words: 'Pay for mailboxes, and change the company' },
    ],
  },
]

/** What a holder may let a program do, in words of their one mailbox. */
export const holdersScopeGroups: readonly ScopeGroup[] = [
  {
    title: 'Mailbox',
    scopes: [
      { scope: 'mailboxes:read', words: 'See its settings' },
      { scope: 'mailboxes:write', words: 'Change its settings and its vacation reply' },
    ],
  },
  ...scopeGroups.filter(({ title }) => title === 'Mail'),
]

export const wordsOf = (scope: KeyScope, groups = scopeGroups): string =>
  groups.flatMap(({ scopes }) => scopes).find((each) => each.scope === scope)?.words ?? scope

/** '2 domains and 1 mailbox', or that it is not narrowed. */
export const reachText = (key: {
  domains: readonly string[] | null
  mailboxes: readonly string[] | null
}): string => {
  const parts = [counted(key.domains, 'domain'), counted(key.mailboxes, 'mailbox')].filter(Boolean)
  return parts.length === 0 ? 'The whole workspace' : `Only ${parts.join(' and ')}`
}

const counted = (ids: readonly string[] | null, noun: 'domain' | 'mailbox'): string => {
  if (ids === null) return ''
  const many = noun === 'mailbox' ? 'mailboxes' : 'domains'
  return `${ids.length} ${ids.length === 1 ? noun : many}`
}
