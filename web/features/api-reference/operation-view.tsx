import { Badge } from '#web/ui/data/badge.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { CodeBlock } from './code-block.tsx'
import { Marked } from './marked.tsx'
import type { Answer, Operation, Reference } from './openapi-document.ts'
import { AnswerList, OperationHeading, ParameterList, Part } from './operation-parts.tsx'
import { curlOf, fetchOf } from './request-text.ts'
import { SchemaFields, typeText } from './schema-fields.tsx'
import { TryIt } from './try-it.tsx'

type OperationViewProps = { operation: Operation; reference: Reference; isDemo: boolean }

export function OperationView({ operation, reference, isDemo }: OperationViewProps) {
  const { method, path, summary, description, body, parameters, answers } = operation
  const { schemas, server } = reference
  const [done, ...refusals] = answers
  return (
    <article>
      <OperationHeading>{summary}</OperationHeading>
      <p className="mt-2 flex flex-wrap items-baseline gap-2">
        <Badge tone="accent">{method}</Badge>
        <code className="wrap-anywhere text-sm">{path}</code>
        <code className="text-soft text-xs">{operation.operationId}</code>
      </p>
      <Marked text={description} />
      <ParameterList title="Parameters" parameters={parameters} schemas={schemas} />
      {body && (
        <Part title="Body">
          <SchemaFields schema={body.schema} schemas={schemas} />
        </Part>
      )}
      <Part title="Request">
        <CodeBlock label="Request with curl" text={curlOf(operation, server)} />
        <CodeBlock label="Request with fetch" text={fetchOf(operation, server)} />
      </Part>
      <TryIt key={operation.operationId} operation={operation} isDemo={isDemo} />
      {done && <DoneAnswer status={done[0]} answer={done[1]} schemas={schemas} />}
      <AnswerList title="Errors" answers={refusals} />
    </article>
  )
}

type DoneAnswerProps = { status: string; answer: Answer; schemas: Reference['schemas'] }

function DoneAnswer({ status, answer, schemas }: DoneAnswerProps) {
  const [content] = Object.entries(answer.content ?? {})
  if (!content) return null
  const [mediaType, { schema, example }] = content
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return (
    <Part title={`Answer ${status}`}>
      <p className="text-soft text-sm">
        {mediaType}: {typeText(schema, schemas)}
      </p>
      <Disclosure label="Fields of the answer">
        <SchemaFields schema={schema} schemas={schemas} />
      </Disclosure>
      <CodeBlock label="Example of the answer" text={text} />
    </Part>
  )
}
