import { CircleCheck } from 'lucide-react'
import { getInstallation } from '#contract/installation.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Pages, usePages } from '#web/ui/data/pages.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { DidYouMean } from '#web/ui/form/did-you-mean.tsx'
import { FieldError, Input } from '#web/ui/form/field.tsx'
import {
  asPrivate,
  curedAsPrivate,
  curedByName,
  type FaultGroup,
  type FaultyRow,
  faultWords,
  inDomain,
  withoutAddress,
  withoutDomain,
  withoutPrivate,
} from './fault-groups.ts'
import type { RowFault } from './private-fault.ts'
import type { Person } from './read-people.ts'
import type { ImportSteps } from './use-import.ts'

/** Rows of a group that are seen at once. */
const ROWS_SHOWN = 10
/** A shorter group is open at first. */
const OPEN_UP_TO = 5

/** The row that somebody typed in last, and the group in which it was then. */
export type HeldRow = { row: number; fault: RowFault }

type CuresProps = { group: FaultGroup; steps: ImportSteps; domains: readonly string[] }
type FaultGroupCardProps = CuresProps & {
  held: HeldRow | null
  onHold: (held: HeldRow) => void
}

export function FaultGroupCard({ group, steps, domains, held, onHold }: FaultGroupCardProps) {
  const { fault, rows } = group
  const { title } = faultWords[fault]
  const wrong = rows.filter(({ reason }) => reason !== '')
  const pages = usePages(rows, ROWS_SHOWN)
  const [first, ...others] = wrong
  // One sentence for all of them is said once.
  const isSaid =
    first !== undefined &&
    others.length > 0 &&
    others.every(({ reason }) => reason === first.reason)
  const list = (
    <div className="grid gap-3 pt-2">
      {pages.shown.map((row) => (
        <RowToCorrect
          key={row.person.row}
          {...{ row, steps, fault, isSaid, onHold }}
          isHeld={held?.row === row.person.row}
        />
      ))}
      <Pages {...pages} of="rows" />
    </div>
  )
  return (
    <section aria-label={title} className="rounded-card border border-line p-4">
      <h3 className="font-semibold text-sm tabular-nums">
        {wrong.length === 0
          ? 'Corrected'
          : `${formatCount(wrong.length)} ${wrong.length === 1 ? 'row' : 'rows'}`}
        : {title}
      </h3>
      <p className="mt-1 text-soft text-sm">
        <Explanation fault={fault} />
      </p>
      {isSaid && (
        <div className="mt-2">
          <FieldError message={`${atAll(wrong.length)}: ${first.reason}`} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {wrong.length > 0 && <Cures group={{ fault, rows: wrong }} {...{ steps, domains }} />}
      </div>
      <div className="mt-2">
        {rows.length <= OPEN_UP_TO ? (
          list
        ) : (
          <Disclosure label={`Show these ${formatCount(rows.length)} rows`}>{list}</Disclosure>
        )}
      </div>
    </section>
  )
}

function Explanation({ fault }: { fault: RowFault }) {
  const { data } = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (fault !== 'over-limit') return faultWords[fault].explanation
  return (
    <>
      {data &&
        `A domain may have ${formatCount(data.mailboxLimit)} mailboxes here, unless the operator of this installation has set another limit for it. `}
      Each row below names the limit of its domain. Only the operator can raise it
      {data && `: ask ${data.operatorContact}`}.
    </>
  )
}

const atAll = (count: number) => (count === 2 ? 'Both rows' : `All ${formatCount(count)} rows`)
const numbersOf = (rows: readonly FaultyRow[]) => rows.map(({ person }) => person.row)
const forRows = (count: number) => ` for ${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`

/** What can be done about all rows of the group by one click. */
function Cures({ group, steps, domains }: CuresProps) {
  const { fault, rows } = group
  const numbers = numbersOf(rows)
  const named = new Map(curedByName(group).map((row) => [row.person.row, withoutAddress(row)]))
  const elsewhere = numbersOf(curedAsPrivate(group))
  const proposals = new Map(
    rows.flatMap(({ person, proposal }) => (proposal === null ? [] : [[person.row, proposal]])),
  )
  const addresses = new Map(
    rows.flatMap(({ person, address }) => (address === null ? [] : [[person.row, address]])),
  )
  const all = rows.length === 1 ? 'this row' : `all ${formatCount(rows.length)}`
  const button = { variant: 'secondary', size: 'small', disabled: steps.isPending } as const
  const takesDomain = fault === 'domain-unknown' || fault === 'domain-missing'
  return (
    <>
      {proposals.size > 0 && (
        <Button
          {...button}
          variant="primary"
          onClick={() =>
            steps.cure([...proposals.keys()], (person) =>
              inDomain(person, proposals.get(person.row) ?? person.domain),
            )
          }
        >
          Use the proposed domain{forRows(proposals.size)}
        </Button>
      )}
      {takesDomain && (
        <div className="w-64 max-w-full">
          <Combobox
            aria-label={`Domain for ${all}`}
            label="Domains"
            options={domains.map((name) => ({ value: name, label: name }))}
            value=""
            onValueChange={(domain) => steps.cure(numbers, (person) => inDomain(person, domain))}
            placeholder={`Choose a domain for ${all}`}
          />
        </div>
      )}
      {addresses.size > 0 && (
        <Button
          {...button}
          variant={fault === 'name-taken' ? 'secondary' : 'primary'}
          onClick={() =>
            steps.cure([...addresses.keys()], (person) => ({
              ...{ ...person, email: addresses.get(person.row) ?? person.email },
            }))
          }
        >
          {fault === 'name-taken' ? 'Make another address' : 'Use the proposed address'}
          {forRows(addresses.size)}
        </Button>
      )}
      {named.size > 0 && (
        <Button
          {...button}
          variant={addresses.size > 0 ? 'secondary' : 'primary'}
          onClick={() => steps.cure([...named.keys()], (person) => named.get(person.row) ?? person)}
        >
          Make new addresses from the names{named.size < rows.length && forRows(named.size)}
        </Button>
      )}
      {elsewhere.length > 0 && (
        <Button {...button} onClick={() => steps.cure(elsewhere, asPrivate)}>
          Use {rows.length === 1 ? 'it as a private address' : 'them as private addresses'}
          {elsewhere.length < rows.length && forRows(elsewhere.length)}
        </Button>
      )}
      {fault === 'address-elsewhere' && (
        <Button {...button} variant="primary" onClick={() => steps.cure(numbers, withoutDomain)}>
          Use the domain of the address
        </Button>
      )}
      {fault === 'private-wrong' && (
        <Button {...button} onClick={() => steps.cure(numbers, withoutPrivate)}>
          Leave out {rows.length === 1 ? 'this address' : 'these addresses'}
        </Button>
      )}
      <Button {...button} onClick={() => steps.skip(rows)}>
        {fault === 'name-taken' ? 'Leave out' : 'Skip'} {all}
      </Button>
    </>
  )
}

const cells = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['domain', 'Domain'],
] as const
const privateCells = [...cells.slice(0, 3), ['privateEmail', 'Private email']] as const

type RowToCorrectProps = {
  row: FaultyRow
  fault: RowFault
  steps: ImportSteps
  /** The reason is that of every row of the group. */
  isSaid: boolean
  /** Somebody types in it. */
  isHeld: boolean
  onHold: (held: HeldRow) => void
}

function RowToCorrect(props: RowToCorrectProps) {
  const { row, fault, steps, onHold } = props
  const { person, proposal, address } = row
  const change = (changed: Person) => steps.edit(changed)
  return (
    <fieldset
      className="grid gap-2 border-line border-t pt-3"
      // Not for its button: what moves while it is pressed would lose the click.
      onFocus={({ target }) =>
        target instanceof HTMLInputElement && onHold({ row: person.row, fault })
      }
    >
      <legend className="sr-only">Row {person.row}</legend>
      <div className="flex items-start justify-between gap-3">
        <RowVerdict {...props} />
        <Button variant="link" size="inline" onClick={() => steps.skip([row])}>
          Skip<span className="sr-only"> row {person.row}</span>
        </Button>
      </div>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {(fault === 'private-wrong' ? privateCells : cells).map(([name, label]) => (
          <Input
            key={name}
            dir="auto"
            aria-label={`${label} of row ${person.row}`}
            placeholder={label}
            value={person[name]}
            onChange={(event) => change({ ...person, [name]: event.target.value })}
          />
        ))}
      </div>
      {address !== null && fault === 'address-wrong' && (
        <p className="wrap-anywhere text-sm">
          <DidYouMean
            meant={address}
            isDisabled={steps.isPending}
            onTake={() => steps.cure([person.row], (one) => ({ ...one, email: address }))}
          />
        </p>
      )}
      {proposal !== null && (
        <p className="text-sm">
          <DidYouMean
            meant={proposal}
            isDisabled={steps.isPending}
            onTake={() => steps.cure([person.row], (one) => inDomain(one, proposal))}
          />
        </p>
      )}
    </fieldset>
  )
}

/** What the last check said of a row, and whether another one is coming. */
function RowVerdict({ row: { person, reason }, steps, isSaid, isHeld }: RowToCorrectProps) {
  const isChecking = isHeld && steps.hasEdits && steps.mistake === ''
  const name = `Row ${person.row}`
  return (
    <div aria-live="polite" className="min-w-0 text-sm">
      {isChecking ? (
        <p className="text-soft">{name}: checking...</p>
      ) : reason === '' ? (
        <p className="flex items-start gap-1.5 text-good">
          <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
          {name} is right now
        </p>
      ) : (
        <FieldError message={isSaid ? name : `${name}: ${reason}`} />
      )}
    </div>
  )
}
