import { useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field, inputStyle } from '#web/ui/form/field.tsx'
import { type Known, readPrivateAddresses, type UnclearLine } from './private-addresses.ts'

const LINES_SHOWN = 10

type PastedAddressesProps = {
  mailboxes: readonly Known[]
  onFound: (addresses: ReadonlyMap<string, string>) => void
  onUnclear: (hasUnclear: boolean) => void
}

/** Two columns of a spreadsheet fill the rows below; a line that is not clear is asked about. */
export function PastedAddresses({ mailboxes, onFound, onUnclear }: PastedAddressesProps) {
  const [unclear, setUnclear] = useState<UnclearLine[]>([])
  const [said, setSaid] = useState('')
  const left = (lines: UnclearLine[]) => {
    setUnclear(lines)
    onUnclear(lines.length > 0)
  }
  const read = (text: string) => {
    const { found, unclear: lines } = readPrivateAddresses(text, mailboxes)
    onFound(found)
    left(lines)
    setSaid(
      text.trim() === ''
        ? ''
        : `${formatCount(found.size)} ${found.size === 1 ? 'address is' : 'addresses are'} filled in below.`,
    )
  }
  const settle = (line: UnclearLine, mailbox: Known | null) => {
    if (mailbox && line.address) onFound(new Map([[mailbox._id, line.address]]))
    left(unclear.filter((other) => other !== line))
  }
  return (
    <div>
      <Disclosure label="Paste a table">
        <Field
          className="pt-2"
          label="Mailboxes and private addresses"
          hint={
            said ||
            'In each line a mailbox or the name of its person, and the private address: two columns of a spreadsheet.'
          }
        >
          {(control) => (
            <textarea
              {...control}
              onChange={({ target }) => read(target.value)}
              placeholder={'ada@company.example\tada@home.example\nAda Lovelace\tada@home.example'}
              spellCheck={false}
              autoComplete="off"
              className={cn(inputStyle, 'min-h-24 resize-y whitespace-pre py-2 font-mono text-xs')}
            />
          )}
        </Field>
      </Disclosure>
      {unclear.length > 0 && <UnclearLines lines={unclear} onSettle={settle} onIgnoreAll={left} />}
    </div>
  )
}

type UnclearLinesProps = {
  lines: UnclearLine[]
  onSettle: (line: UnclearLine, mailbox: Known | null) => void
  onIgnoreAll: (lines: UnclearLine[]) => void
}

function UnclearLines({ lines, onSettle, onIgnoreAll }: UnclearLinesProps) {
  return (
    <section aria-label="Lines that are not clear" className="mt-2 rounded-card bg-bad-wash p-3">
      <p className="flex flex-wrap justify-between gap-3 text-bad text-sm">
        {formatCount(lines.length)} {lines.length === 1 ? 'line is' : 'lines are'} not clear.
        <Button variant="link" size="inline" onClick={() => onIgnoreAll([])}>
          Ignore {lines.length === 1 ? 'it' : 'all of them'}
        </Button>
      </p>
      <ul className="mt-2 grid gap-3 text-sm">
        {lines.slice(0, LINES_SHOWN).map((line) => (
          <li key={line.line} className="grid gap-1">
            <span dir="auto" className="wrap-anywhere font-mono text-xs">
              {line.line.slice(0, 200)}
            </span>
            <span>{whyUnclear(line)}</span>
            <span className="flex flex-wrap gap-x-4">
              {line.address !== null &&
                line.proposals.map((mailbox) => (
                  <Button
                    key={mailbox._id}
                    variant="link"
                    size="inline"
                    onClick={() => onSettle(line, mailbox)}
                  >
                    {mailbox.firstName} {mailbox.lastName}, {mailbox.email}
                  </Button>
                ))}
              <Button variant="link" size="inline" onClick={() => onSettle(line, null)}>
                Ignore<span className="sr-only"> this line</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function whyUnclear({ address, proposals }: UnclearLine): string {
  if (address === null) return 'It needs one private address, beside the mailbox or the name.'
  if (proposals.length === 0) return 'None of these mailboxes has this address or this name.'
  return proposals.length === 1 ? 'Do you mean this mailbox?' : 'Which of these mailboxes is it?'
}
