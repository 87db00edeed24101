import { FileSpreadsheet } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Combobox } from '#web/ui/form/combobox.tsx'
import { Field, inputStyle } from '#web/ui/form/field.tsx'
import { noDomainHint, useDomainChoices } from '../use-domain-choices.tsx'
import { decodeTable } from './decode-table.ts'
import { type Source, useSettled } from './use-import.ts'

const MAX_FILE_BYTES = 10_000_000

type ImportSourceProps = { source: Source; mistake: string; onChange: (source: Source) => void }

export function ImportSource({ source, mistake, onChange }: ImportSourceProps) {
  const [refusal, setRefusal] = useState('')
  const available = useDomainChoices()
  const settled = useSettled(source)
  const germanId = useId()
  return (
    <div className="grid gap-5">
      <Field
        label="People"
        required
        error={refusal || mistake || undefined}
        hint="Columns in any order, with or without headings: first name, last name, email, domain. A row without an email gets an address made from the name. A column “Private email” says where to mail the access link."
        aside={
          <FileButton
            onText={(text, fileName) => {
              setRefusal('')
              onChange({ ...source, text, fileName })
            }}
            onRefusal={(message) => {
              setRefusal(message)
              // What another file said must not be taken for this one.
              onChange({ ...source, text: '', fileName: '' })
            }}
          />
        }
      >
        {(control) => (
          <textarea
            {...control}
            value={source.text}
            onChange={(event) => {
              setRefusal('')
              onChange({ ...source, text: event.target.value })
            }}
            rows={9}
            spellCheck={false}
            placeholder={
              'First name;Last name;Domain\nMax;Weiß;maier.example\nEva;Roth;hotel.example'
            }
            className={cn(inputStyle, 'min-h-48 resize-y whitespace-pre py-2 font-mono text-xs')}
          />
        )}
      </Field>
      <Field
        label="Domain for rows without a domain"
        hint={noDomainHint(available) ?? 'Not needed when each row names its domain.'}
      >
        {(control) => (
          <Combobox
            {...control}
            label="Domains"
            options={available.choices.map(({ name, unicodeName }) => ({
              ...{ value: name, label: unicodeName, alias: name },
            }))}
            value={settled.domain}
            onValueChange={(domain) => onChange({ ...source, domain })}
            placeholder="None"
          />
        )}
      </Field>
      <div className="flex items-start gap-2.5 text-sm">
        <Checkbox
          id={germanId}
          className="mt-0.5"
          checked={settled.isGerman}
          onCheckedChange={(checked) => onChange({ ...source, isGerman: checked === true })}
        />
        <label htmlFor={germanId}>
          German spelling
          <span className="text-soft">
            : Jörg Müller gets joerg.mueller@, otherwise jorg.muller@
          </span>
        </label>
      </div>
    </div>
  )
}

type FileButtonProps = {
  onText: (text: string, fileName: string) => void
  onRefusal: (message: string) => void
}

function FileButton({ onText, onRefusal }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const onFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // So that the same file can be chosen again.
    event.target.value = ''
    if (file === undefined) return
    if (file.size > MAX_FILE_BYTES)
      return onRefusal(`The file is larger than ${formatCount(MAX_FILE_BYTES / 1e6)} MB.`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    const decoded = decodeTable(bytes)
    if ('fault' in decoded) onRefusal(decoded.fault)
    else onText(decoded.text, file.name)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => void onFile(event)}
      />
      <Button variant="secondary" size="small" onClick={() => input.current?.click()}>
        <FileSpreadsheet aria-hidden />
        Choose a file
      </Button>
    </>
  )
}
