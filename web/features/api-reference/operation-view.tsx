import { Badge } from '#web/ui/data/badge.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { CodeBlock } from './code-block.tsx'
import { Marked } from './marked.tsx'
import type { Answer, Operation, Parameter, Reference } from './openapi-document.ts'
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
      <h2
        tabIndex={-1}
        id="operation"
        className="text-balance font-semibold text-2xl tracking-tight"
      >
        {summary}
      </h2>
      <p className="mt-2 flex flex-wrap items-baseline gap-2">
        <Badge tone="accent">{method}</Badge>
        <code className="wrap-anywhere text-sm">{path}</code>
        <code className="text-soft text-xs">{operation.operationId}</code>
      </p>
      <Marked text={description} />
      {parameters.length > 0 && (
        <Part title="Parameters">
          <ul className="divide-y divide-line">
            {parameters.map((each) => (
              <ParameterRow key={`${each.in} ${each.name}`} parameter={each} schemas={schemas} />
            ))}
          </ul>
        </Part>
      )}
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
      <Part title="Errors">
        <ul className="divide-y divide-line">
          {refusals.map(([status, answer]) => (
            <li key={status} className="flex gap-3 py-2.5 text-sm">
              <Badge>{status}</Badge>
              <div className="min-w-0 flex-1">
                <Marked text={answer.description.replaceAll('. `', '\n\n`')} />
              </div>
            </li>
          ))}
        </ul>
      </Part>
    </article>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="mt-8">
      <h3 className="font-semibold text-lg tracking-tight">{title}</h3>
      <div className="mt-2 flex flex-col gap-3">{children}</div>
    </section>
  )
}

type ParameterRowProps = { parameter: Parameter; schemas: Reference['schemas'] }

function ParameterRow({ parameter, schemas }: ParameterRowProps) {
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-medium text-sm">{parameter.name}</code>
        <span className="wrap-anywhere text-soft text-xs">
          {parameter.in}, {typeText(parameter.schema, schemas)}
        </span>
        {!parameter.required && <span className="text-soft text-xs">optional</span>}
      </p>
      <Marked text={parameter.description} />
    </li>
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
