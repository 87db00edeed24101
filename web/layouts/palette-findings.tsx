/**
 * What is there under the typed words: domains, mailboxes, members and invoices of the workspace, other workspaces, settings
 * and folders; each as far as the caller's role goes. Mail itself is found by its own search.
 */
import { Command, useCommandState } from 'cmdk'
import {
  Building2,
  FileText,
  Folder as FolderIcon,
  Globe,
  Inbox,
  type LucideIcon,
  MailSearch,
  SlidersHorizontal,
  UserRound,
} from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { listInvoices } from '#contract/billing.ts'
import { listDomains } from '#contract/domains.ts'
import { MAX_SEARCH } from '#contract/mail/search.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { listFolders } from '#contract/messages.ts'
import { formatCents } from '#contract/money.ts'
import { listMembers, listWorkspaces } from '#contract/workspaces.ts'
import { useLastMailbox } from '#web/features/mailbox-access/use-mailboxes.ts'
import { useSwitchWorkspace } from '#web/features/workspaces/use-switch-workspace.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder, useMay, useRole } from '#web/lib/api/use-can.ts'
import { formatDate } from '#web/lib/format.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { paths } from '#web/paths.ts'
import { placesFor } from './palette-places.ts'

/** Values of these entries begin with it: the server and this file have chosen them, and the palette keeps them. */
export const FOUND = 'found '

/** Shorter words are in everything. */
const MIN_TYPED = 2
const SHOWN = 5

type Finding = {
  id: string
  title: string
  note: string
  icon: LucideIcon
  /** Where it leads, or what it does. */
  does: string | (() => void)
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => folded(text).includes(word))

type Findings = { heading: string; items: Finding[] }[]

/** Outside the workspace's own rows. */
function useFoundElsewhere(words: readonly string[], isWanted: boolean): Findings {
  const hasWorkspaces = useHolder() === null
  const workspaces = useApi(listWorkspaces, {}, { enabled: isWanted && hasWorkspaces })
  const { choose } = useSwitchWorkspace()
  const role = useRole()
  return [
    {
      heading: 'Workspaces',
      items: (workspaces.data ?? [])
        .filter(({ name, isCurrent }) => !isCurrent && hasWords(name, words))
        .map(({ _id, name, role: theirs }) => ({
          ...{ id: _id, title: name, note: `Switch, as ${theirs}`, icon: Building2 },
          does: () => void choose(_id),
        })),
    },
    {
      heading: 'Settings',
      items: (role ? placesFor(role) : [])
        .filter(({ title, words: more }) => hasWords(`${title} ${more}`, words))
        .map(({ title, note, ...place }) => ({
          ...{ id: title, title, note, icon: SlidersHorizontal },
          does: 'act' in place ? place.act : place.path,
        })),
    },
  ]
}

/** Value of the entry that searches the mail: it fits all that is typed. */
export const MAIL_SEARCH = `${FOUND}mail`

/** Folders of the mailbox that was opened last, and the way to a search in it. */
function useFoundInMail(typed: string, words: readonly string[], isWanted: boolean): Findings {
  const last = useLastMailbox()
  const mailbox = useSearchParams()[0].get('mailbox') || last || ''
  const params = { id: mailbox }
  const isKnown = isWanted && mailbox !== ''
  const { data: folders } = useApi(listFolders, { params }, { enabled: isKnown, retry: false })
  if (!folders) return []
  return [
    {
      heading: 'Folders',
      items: folders
        .filter(({ name }) => hasWords(name, words))
        .map(({ _id, role, name }) => ({
          ...{ id: _id, title: name, note: 'Mail', icon: FolderIcon },
          does: paths.viewMail({ mailbox, folder: role ?? _id }),
        })),
    },
    {
      heading: 'Mail',
      items: [
        {
          ...{ id: 'mail', title: `Search mail for “${typed}”`, note: '', icon: MailSearch },
          does: paths.viewMail({ mailbox, q: typed }),
        },
      ],
    },
  ]
}

function useFindings(typed: string): Findings {
  const settledTyped = useDebounced(typed.trim().slice(0, MAX_SEARCH))
  const settled = settledTyped.toLowerCase()
  const isWanted = settled.length >= MIN_TYPED
  const words = folded(settled).split(/\s+/)
  const [seesDomains, seesMembers, seesInvoices] = [
    useMay('see-domains'),
    useMay('manage-members'),
    useMay('manage-billing'),
  ]
  const domains = useApi(listDomains, {}, { enabled: isWanted && seesDomains })
  const members = useApi(listMembers, {}, { enabled: isWanted && seesMembers })
  const invoices = useApi(listInvoices, { query: {} }, { enabled: isWanted && seesInvoices })
  const mailboxes = useApi(
    listMailboxes,
    { query: { q: settled, limit: SHOWN } },
    { enabled: isWanted },
  )
  const elsewhere = useFoundElsewhere(words, isWanted)
  const inMail = useFoundInMail(settledTyped, words, isWanted)
  if (!isWanted) return []
  return [
    {
      heading: 'Domains',
      items: (domains.data ?? [])
        .filter(({ name, unicodeName }) => hasWords(`${name} ${unicodeName}`, words))
        .map(({ _id, unicodeName, dnsStatus }) => ({
          ...{ id: _id, title: unicodeName, note: dnsStatus, icon: Globe },
          does: paths.domain(_id),
        })),
    },
    {
      heading: 'Mailboxes',
      items: (mailboxes.data?.items ?? []).map(({ _id, email, fullName }) => ({
        ...{ id: _id, title: email, note: fullName, icon: Inbox },
        does: paths.viewMail({ mailbox: _id }),
      })),
    },
    {
      heading: 'Users',
      items: (members.data ?? [])
        .filter(({ email, name }) => hasWords(`${email} ${name}`, words))
        .map(({ _id, email, name }) => ({
          ...{ id: _id, title: name, note: email, icon: UserRound },
          does: paths.settings({ tab: 'users' }),
        })),
    },
    {
      heading: 'Invoices',
      items: (invoices.data?.items ?? [])
        .filter(({ number }) => hasWords(number, words))
        .map(({ _id, number, date, amountCents, currency }) => ({
          ...{
            id: _id,
            title: number,
            note: `${formatCents(amountCents, currency)}, ${formatDate(date)}`,
            icon: FileText,
          },
          does: paths.invoice(_id),
        })),
    },
    ...elsewhere,
    ...inMail,
  ]
}

type PaletteFindingsProps = {
  typed: string
  className: string
  onSelect: (value: string) => void
  onRun: (does: Finding['does']) => void
}

export function PaletteFindings({ typed, className, onSelect, onRun }: PaletteFindingsProps) {
  const findings = useFindings(typed)
  const selected = useCommandState(({ value }) => value)
  const first = findings.flatMap(({ items }) => items)[0]?.id
  // What comes after the last key would not be selected, and Enter would do nothing.
  useEffect(() => {
    const isSelected = selected && document.querySelector('[cmdk-item][data-selected=true]')
    if (!isSelected && first !== undefined) onSelect(`${FOUND}${first}`)
  }, [selected, first, onSelect])
  return findings.map(
    ({ heading, items }) =>
      items.length > 0 && (
        <Command.Group
          key={heading}
          heading={`Found in ${heading.toLowerCase()}`}
          className={className}
        >
          {items.slice(0, SHOWN).map(({ id, title, note, does, icon: Icon }) => (
            <Command.Item
              key={id}
              value={`${FOUND}${id}`}
              onSelect={() => onRun(does)}
              className="flex cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm data-[selected=true]:bg-hover max-md:min-h-11"
            >
              <Icon className="size-4 shrink-0 text-soft" aria-hidden />
              <span className="truncate">{title}</span>
              <span className="ml-auto max-w-[45%] truncate text-soft text-xs">{note}</span>
            </Command.Item>
          ))}
        </Command.Group>
      ),
  )
}
