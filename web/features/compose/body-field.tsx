import { Suspense, useId, useState } from 'react'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'
import { LazyEditor, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import type { ComposeStart } from './compose-start.ts'
import type { Compose } from './use-compose.ts'

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

const MailFrame = lazyPart(async () => (await import('#web/mail-content/mail-frame.tsx')).MailFrame)

type BodyFieldProps = {
  compose: Compose
  start: ComposeStart
  isFocused: boolean
}

/** The editor, and below it the original message of a reply. */
export function BodyField({ compose, start, isFocused }: BodyFieldProps) {
  const { values, errors, change, addPicture, addFiles, pictureRefusal } = compose
  const errorId = useId()
  // Read only once: from then on the editor holds the content.
  const [firstBody] = useState(values.body)
  const [leftOut, setLeftOut] = useState(0)
  const message = pictureRefusal ?? errors.body
  return (
    <div className="flex grow flex-col gap-1.5">
      <LazyEditor
        part={Editor}
        label="Message"
        kind="message"
        initialHtml={firstBody}
        onChange={(body) => change({ body })}
        onImage={addPicture}
        onFiles={addFiles}
        onPaste={setLeftOut}
        isInvalid={message !== undefined}
        describedBy={errorId}
        isFocused={isFocused}
      />
      <FieldError id={errorId} message={message} />
      <p role="status" className={leftOut === 0 ? 'sr-only' : 'text-soft text-xs'}>
        {leftOutText(leftOut)}
      </p>
      {start.quotation !== '' && (
        <Quotation
          html={start.quotation}
          isKept={values.isQuoted}
          onKeep={(isQuoted) => change({ isQuoted })}
        />
      )}
    </div>
  )
}

const leftOutText = (count: number): string => {
  if (count === 0) return ''
  const what = count === 1 ? '1 picture was' : `${count} pictures were`
  return `${what} left out: a letter takes only pictures that are inserted from this device.`
}

type QuotationProps = { html: string; isKept: boolean; onKeep: (isKept: boolean) => void }

const noImages: ReadonlyMap<string, string> = new Map()
const nothing = () => {}

function Quotation({ html, isKept, onKeep }: QuotationProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  return (
    <div className="mt-1 overflow-hidden rounded-control border border-line">
      <div className="flex items-center gap-2.5 bg-sunken px-3 py-2 text-sm">
        <Checkbox
          id={id}
          checked={isKept}
          onCheckedChange={(isChecked) => onKeep(isChecked === true)}
        />
        <label htmlFor={id} className="flex-1">
          Include the original message
        </label>
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => setIsShown(!isShown)}
          className="min-h-6 rounded text-accent-ink text-xs underline-offset-4 hover:underline"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      {isShown && (
        <ScrollRegion label="Original message" className="max-h-72 border-line border-t bg-white">
          <Suspense>
            <MailFrame html={html} images={noImages} title="Original message" onLink={nothing} />
          </Suspense>
        </ScrollRegion>
      )}
    </div>
  )
}
