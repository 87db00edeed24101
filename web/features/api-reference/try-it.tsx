import { useId, useState } from 'react'
import { API_PREFIX } from '#contract/route.ts'
import { browserTokens } from '#web/lib/api/access-token.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField, inputStyle } from '#web/ui/form/field.tsx'
import { CodeBlock } from './code-block.tsx'
import type { Operation } from './openapi-document.ts'
import { exampleBody, examplePath } from './request-text.ts'

type Tried = { status: number; text: string } | { failed: string }

const send = async (operation: Operation, path: string, body: string, key: string) => {
  const token = key.trim() || browserTokens.read()
  const answer = await fetch(API_PREFIX + path, {
    method: operation.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, text: isJson ? JSON.stringify(JSON.parse(text), null, 2) : text }
}

/** Sends the request for real, with the session of this browser or a key that is typed. Only where nothing can be lost: in the demo. */
export function TryIt({ operation }: { operation: Operation }) {
  const [path, setPath] = useState(examplePath(operation))
  const [body, setBody] = useState(exampleBody(operation))
  const [key, setKey] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const [isPending, setIsPending] = useState(false)
  const bodyId = useId()
  const run = async () => {
    setIsPending(true)
    const result = await send(operation, path, body, key).catch(() => ({
      failed: 'No answer came. Please try again',
    }))
    setTried(result)
    setIsPending(false)
  }
  // It does not end, or is a file.
  const isStream = operation.answers[0]?.[1].content?.['application/json'] === undefined
  if (isStream) return null
  return (
    <section className="mt-8">
      <h3 className="font-semibold text-lg tracking-tight">Try it in the demo</h3>
      <form
        className="mt-2 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <InputField label="Path" value={path} onChange={(event) => setPath(event.target.value)} />
        {body !== '' && (
          <div>
            <label htmlFor={bodyId} className="font-medium text-sm">
              Body
            </label>
            <textarea
              id={bodyId}
              rows={Math.min(12, body.split('\n').length)}
              className={`${inputStyle} mt-1.5 py-2 font-mono`}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          </div>
        )}
        <InputField
          label="Key"
          hint="Empty: the session of this browser."
          value={key}
          autoComplete="off"
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" className="self-start" isPending={isPending}>
          Send request
        </Button>
      </form>
      <div role="status" className="mt-4">
        {tried && 'failed' in tried && <p className="text-bad text-sm">{tried.failed}</p>}
        {tried && 'status' in tried && (
          <>
            <p className="mb-2 font-medium text-sm">Answer {tried.status}</p>
            <CodeBlock label="The answer" text={tried.text} />
          </>
        )}
      </div>
    </section>
  )
}
