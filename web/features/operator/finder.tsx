/** From an address, a domain, a name or a number to its page. */
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type FoundThing, findForOperator } from '#contract/operator/find.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useDebounced } from '#web/lib/time/use-now.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchList } from '#web/ui/form/search-list.tsx'
import { Popover } from '#web/ui/overlay/popover.tsx'

/** As the server takes it. */
const MAX_TYPED = 200

export function Finder() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      label="Find"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-[min(26rem,calc(100vw-1.5rem))]"
      trigger={
        <Button variant="secondary">
          <Search aria-hidden />
          Find
        </Button>
      }
    >
      <Findings onClose={() => setIsOpen(false)} />
    </Popover>
  )
}

function Findings({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const text = typed.trim().slice(0, MAX_TYPED)
  const settled = useDebounced(text)
  const { data, error } = useApi(
    findForOperator,
    { query: { q: settled } },
    { enabled: settled !== '' },
  )
  // What was found for other words cannot be chosen.
  const found = text !== '' && text === settled ? (data?.items ?? []) : []
  const isSearching = text !== settled || (settled !== '' && !data && !error)
  return (
    <SearchList
      label="Pages"
      options={found.map((thing) => ({
        value: placeOf(thing),
        label: labelOf(thing),
        alias: typed,
      }))}
      chosen={[]}
      onSearch={setTyped}
      onChoose={(place) => {
        onClose()
        void navigate(place)
      }}
      emptyText={hint(text, isSearching, error?.message)}
      className="max-h-80"
    />
  )
}

const hint = (text: string, isSearching: boolean, error: string | undefined): string => {
  if (text === '') return 'An address, a domain, a name, or the number of an invoice.'
  if (isSearching) return 'Searching...'
  return error ?? 'Nothing found.'
}

const nouns: Record<FoundThing['kind'], string> = {
  workspace: 'Workspace',
  person: 'Person',
  mailbox: 'Mailbox',
  domain: 'Domain',
  invoice: 'Invoice',
}

const labelOf = ({ kind, title, detail }: FoundThing): string =>
  `${nouns[kind]}: ${title}${detail === '' ? '' : ` (${detail})`}`

const places: Record<FoundThing['kind'], (id: string) => string> = {
  workspace: paths.operatedWorkspace,
  person: paths.operatedPerson,
  mailbox: paths.operatedMailbox,
  domain: paths.operatedWorkspace,
  invoice: paths.operatedInvoice,
}

/** The fragment tells apart two things that have the same page. */
const placeOf = ({ kind, _id, title }: FoundThing): string =>
  `${places[kind](_id)}${kind === 'domain' ? `#${title}` : ''}`
