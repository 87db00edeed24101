import { Suspense, useId, useRef, useState } from 'react'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { MailFrame } from '#web/mail-content/lazy-mail-frame.ts'
import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'
import { LazyEditor, loadEditor } from '#web/ui/editor/lazy-editor.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import type { ComposeStart } from './compose-start.ts'
import { PlainField } from './plain-field.tsx'
import { plainAsHtml, textOfBody } from './plain-letter.ts'
import { type Compose, picturesIn } from './use-compose.ts'

const Editor = lazyPart(async () => (await loadEditor()).RichTextEditor)

type BodyFieldProps = {
  compose: Compose
  start: ComposeStart
  /** Of the mailbox, as HTML. */
  signature: string
  isFocused: boolean
}

/** The editor, or a plain box, and below it the original message of a reply. */
export function BodyField({ compose, start, signature, isFocused }: BodyFieldProps) {
  const { values, errors, change, addPicture, addFiles, pictureRefusal } = compose
  const errorId = useId()
  const { firstBody, hasSwitched, leftOut, setLeftOut, switchForm } = useForms(values, change)
  const message = pictureRefusal ?? errors.body
  const common = { isInvalid: message !== undefined, describedBy: errorId }
  const takesFocus = isFocused || hasSwitched
  return (
    <div className="flex grow flex-col gap-1.5">
      {values.isPlain ? (
        <PlainField
          {...common}
          text={textOfBody(values.body)}
          onChange={(text) => change({ body: plainAsHtml(text) })}
          onFiles={addFiles}
          onFormatting={switchForm}
          isFocused={takesFocus}
        />
      ) : (
        <LazyEditor
          {...common}
          part={Editor}
          label="Message"
          kind="message"
          initialHtml={firstBody}
          ending={signature}
          onChange={(body) => change({ body })}
          onImage={addPicture}
          onFiles={addFiles}
          onPaste={setLeftOut}
          onPlainText={switchForm}
          isFocused={takesFocus}
        />
      )}
      <FieldError id={errorId} message={message} />
      <p role="status" className={leftOut === 0 ? 'sr-only' : 'text-soft text-xs'}>
        {leftOutText(leftOut, values.isPlain)}
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

/** Writing with formatting or without it; going back at once brings the formatting back. */
function useForms({ body, isPlain }: Compose['values'], change: Compose['change']) {
  // The editor reads it when it appears: from then on it holds the content.
  const [firstBody, setFirstBody] = useState(body)
  const [hasSwitched, setHasSwitched] = useState(false)
  const [leftOut, setLeftOut] = useState(0)
  const formatted = useRef('')
  const switchForm = () => {
    setHasSwitched(true)
    const text = textOfBody(body)
    if (isPlain) {
      const isSame = textOfBody(formatted.current) === text
      const next = isSame ? formatted.current : body
      setFirstBody(next)
      setLeftOut(0)
      change({ isPlain: false, body: next })
    } else {
      formatted.current = body
      setLeftOut(picturesIn(body))
      change({ isPlain: true, body: plainAsHtml(text) })
    }
  }
  return { firstBody, hasSwitched, leftOut, setLeftOut, switchForm }
}

const leftOutText = (count: number, isPlain: boolean): string => {
  if (count === 0) return ''
  const what = count === 1 ? '1 picture was' : `${count} pictures were`
  if (isPlain) return `${what} left out: plain text has no pictures. Formatting brings them back.`
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
