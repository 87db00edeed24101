import { useMemo, useState } from 'react'
import { emailAddress } from '#contract/fields.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { formatCount } from '#web/lib/format.ts'
import { meantAddress } from '#web/lib/spelling/misspelled.ts'
import { shownAddress } from '#web/lib/spelling/shown-host.ts'
import { Pages, usePages } from '#web/ui/data/pages.tsx'
import { DidYouMean } from '#web/ui/form/did-you-mean.tsx'
import { Input } from '#web/ui/form/field.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { PastedAddresses } from './pasted-addresses.tsx'

const ROWS_SHOWN = 20
/** A shorter list is seen at a glance. */
const SEARCH_FROM = 10

type Addresses = ReadonlyMap<string, string>

type PrivateAddressRowsProps = {
  mailboxes: readonly ListedMailbox[]
  addresses: Addresses
  onChange: (addresses: Addresses) => void
  /** Whether pasted lines wait for an answer. */
  onUnclear: (hasUnclear: boolean) => void
}

/** Who gets which mailbox: a row for each, with the private address of its person. */
export function PrivateAddressRows(props: PrivateAddressRowsProps) {
  const { mailboxes, addresses, onChange, onUnclear } = props
  const [search, setSearch] = useState('')
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/)
    return mailboxes.filter(({ fullName, email }) =>
      words.every((word) => `${fullName} ${email}`.toLowerCase().includes(word)),
    )
  }, [mailboxes, search])
  const pages = usePages(found, ROWS_SHOWN)
  const give = (more: Addresses) =>
    onChange(new Map([...new Map([...addresses, ...more])].filter(([, address]) => address !== '')))
  return (
    <section aria-label="Who gets which mailbox" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="mr-auto font-semibold text-sm">Who gets which mailbox</h3>
        <p role="status" className="text-soft text-xs tabular-nums">
          {formatCount(addresses.size)} of {formatCount(mailboxes.length)} with a private address
        </p>
        {mailboxes.length >= SEARCH_FROM && (
          <SearchInput
            className="w-full sm:w-56"
            aria-label="Find a person"
            placeholder="Find a person"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        )}
      </header>
      <PastedAddresses {...{ mailboxes, onUnclear }} onFound={give} />
      <ul aria-label="Mailboxes" className="grid divide-y divide-line border-line border-y">
        {pages.shown.map((mailbox) => (
          <AddressRow
            key={mailbox._id}
            mailbox={mailbox}
            address={addresses.get(mailbox._id) ?? ''}
            onChange={(address) => give(new Map([[mailbox._id, address]]))}
          />
        ))}
      </ul>
      {found.length === 0 && <p className="text-soft text-sm">No mailbox has “{search}”.</p>}
      <Pages {...pages} of="mailboxes" />
    </section>
  )
}

type AddressRowProps = {
  mailbox: ListedMailbox
  address: string
  onChange: (address: string) => void
}

function AddressRow({ mailbox: { fullName, email }, address, onChange }: AddressRowProps) {
  const isWrong = address !== '' && !emailAddress.safeParse(address).success
  const meant = isWrong ? null : meantAddress(address)
  return (
    <li className="grid items-center gap-2 py-2 sm:grid-cols-2">
      <span className="grid min-w-0">
        <span dir="auto" className="truncate font-medium">
          {fullName}
        </span>
        <span className="truncate text-soft text-xs">{shownAddress(email)}</span>
      </span>
      <Input
        type="email"
        aria-label={`Private address for ${email}`}
        aria-invalid={isWrong || undefined}
        placeholder="Private address (optional)"
        autoComplete="off"
        value={address}
        onChange={({ target }) => onChange(target.value.trim())}
      />
      {meant !== null && (
        <p className="wrap-anywhere sm:col-start-2">
          <DidYouMean meant={meant} onTake={() => onChange(meant)} />
        </p>
      )}
    </li>
  )
}
