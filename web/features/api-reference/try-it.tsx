import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field, InputField, inputStyle } from '#web/ui/form/field.tsx'
import { CodeBlock } from './code-block.tsx'
import type { Operation } from './openapi-document.ts'
import { exampleBody, examplePath } from './request-text.ts'
import { faultsOf, sendTry, type Tried, type TryForm } from './try-request.ts'

type TryItProps = { operation: Operation; isDemo: boolean }

/** It does not end, or is a file; or it is open to everybody and changes something, where that counts. */
const canTry = ({ answers, isOpen, method }: Operation, isDemo: boolean): boolean =>
  answers[0]?.[1].content?.['application/json'] !== undefined &&
  (isDemo || !isOpen || method === 'GET')

/** Sends the request for real (decision 128). */
export function TryIt({ operation, isDemo }: TryItProps) {
  const [form, setForm] = useState<TryForm>({
    ...{ path: examplePath(operation), body: exampleBody(operation), key: '' },
  })
  const [faults, setFaults] = useState<Partial<TryForm>>({})
  const [tried, setTried] = useState<Tried | null>(null)
  const [isPending, setIsPending] = useState(false)
  if (!canTry(operation, isDemo)) return null
  const change = (part: Partial<TryForm>) => {
    setForm({ ...form, ...part })
    setFaults({})
  }
  const run = async () => {
    const found = faultsOf(operation, form, isDemo)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setIsPending(true)
    const failed = { failed: 'No answer came. Please try again' }
    setTried(await sendTry(operation, form).catch(() => failed))
    setIsPending(false)
  }
  return (
    <section className="mt-8">
      <h3 className="font-semibold text-lg tracking-tight">
        {isDemo ? 'Try it in the demo' : 'Try it'}
      </h3>
      <form
        noValidate
        className="mt-2 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <InputField
          label="Path"
          value={form.path}
          error={faults.path}
          onChange={({ target }) => change({ path: target.value })}
        />
        {operation.body && (
          <Field label="Body" error={faults.body}>
            {(control) => (
              <textarea
                {...control}
                rows={Math.min(12, form.body.split('\n').length)}
                className={`${inputStyle} py-2 font-mono`}
                value={form.body}
                onChange={({ target }) => change({ body: target.value })}
              />
            )}
          </Field>
        )}
        {!operation.isOpen && (
          <InputField
            label="Key"
            hint={hintOf(operation, isDemo)}
            value={form.key}
            error={faults.key}
            autoComplete="off"
            onChange={({ target }) => change({ key: target.value })}
          />
        )}
        <Button type="submit" className="self-start" isPending={isPending}>
          Send request
        </Button>
      </form>
      <div role="status" className="mt-4">
        {tried && <TriedAnswer tried={tried} />}
      </div>
    </section>
  )
}

const hintOf = ({ method }: Operation, isDemo: boolean): string =>
  isDemo || method === 'GET'
    ? 'An API key. Empty: as you, with the session of this browser'
    : 'An API key: what this changes is real'

function TriedAnswer({ tried }: { tried: Tried }) {
  if ('failed' in tried) return <p className="text-bad text-sm">{tried.failed}</p>
  return (
    <>
      <p className="mb-2 font-medium text-sm">Status {tried.status}</p>
      <CodeBlock label="What came back" text={tried.text} />
    </>
  )
}
