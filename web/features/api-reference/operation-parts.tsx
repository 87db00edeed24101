/** What the pages of operations and of webhook events have in common. */
import type { ReactNode } from 'react'
import { Badge } from '#web/ui/data/badge.tsx'
import { Marked } from './marked.tsx'
import type { Operation, Parameter, Reference } from './openapi-document.ts'
import { typeText } from './schema-fields.tsx'

/** It gets the focus when another operation is chosen. */
export function OperationHeading({ children }: { children: ReactNode }) {
  return (
    <h2 tabIndex={-1} id="operation" className="text-balance font-semibold text-2xl tracking-tight">
      {children}
    </h2>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h3 className="font-semibold text-lg tracking-tight">{title}</h3>
      <div className="mt-2 flex flex-col gap-3">{children}</div>
    </section>
  )
}

type ParameterListProps = {
  title: string
  parameters: Parameter[]
  schemas: Reference['schemas']
}

export function ParameterList({ title, parameters, schemas }: ParameterListProps) {
  if (parameters.length === 0) return null
  return (
    <Part title={title}>
      <ul className="divide-y divide-line">
        {parameters.map((each) => (
          <ParameterRow key={`${each.in} ${each.name}`} parameter={each} schemas={schemas} />
        ))}
      </ul>
    </Part>
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

export function AnswerList({ title, answers }: { title: string; answers: Operation['answers'] }) {
  return (
    <Part title={title}>
      <ul className="divide-y divide-line">
        {answers.map(([status, answer]) => (
          <li key={status} className="flex gap-3 py-2.5 text-sm">
            <Badge>{status}</Badge>
            <div className="min-w-0 flex-1">
              <Marked text={answer.description.replaceAll('. `', '\n\n`')} />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}
