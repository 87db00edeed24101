import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import type { ComposeErrors } from '../trouble.ts'
import { type ComposeValues, errorAt, type RecipientField } from '../use-compose-fields.ts'
import { RecipientsField } from './recipients-field.tsx'

type RecipientFieldsProps = {
  mailboxId: string
  values: ComposeValues
  errors: ComposeErrors
  onChange: (next: Partial<ComposeValues>) => void
  /** The first box takes the focus. */
  isFocused: boolean
}

/** To; Cc and Bcc when they are asked for or filled. */
export function RecipientFields(props: RecipientFieldsProps) {
  const { mailboxId, values, errors, onChange, isFocused } = props
  const [isWhole, setIsWhole] = useState(values.cc.length > 0 || values.bcc.length > 0)
  const field = (name: RecipientField, label: string, aside?: React.ReactNode) => (
    <RecipientsField
      mailboxId={mailboxId}
      label={label}
      required={name === 'to'}
      isFocused={isFocused && name === 'to'}
      entries={values[name]}
      typed={values.typed[name]}
      error={errorAt(errors, values, name)}
      onChange={(entries, typed) =>
        onChange({ [name]: entries, typed: { ...values.typed, [name]: typed } })
      }
      {...(aside ? { aside } : {})}
    />
  )
  return (
    <>
      {field(
        'to',
        'To',
        !isWhole && (
          <Button variant="link" size="inline" onClick={() => setIsWhole(true)}>
            Cc and Bcc
          </Button>
        ),
      )}
      {isWhole && (
        <div className="grid gap-3.5 sm:grid-cols-2">
          {field('cc', 'Cc')}
          {field('bcc', 'Bcc')}
        </div>
      )}
    </>
  )
}
