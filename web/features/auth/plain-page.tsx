import type { ReactNode } from 'react'
import { paths } from '#web/paths.ts'
import { BackLink, textLink } from './auth-parts.tsx'

type Section = { title: string; text: string }

type PlainPageProps = {
  title: string
  lead: ReactNode
  /** The operator's own page, which applies in place of ours. */
  own: { url: string | null | undefined; says: string }
  sections: readonly Section[]
}

/** A public page of text: the terms, and what is kept of people. */
export function PlainPage({ title, lead, own, sections }: PlainPageProps) {
  return (
    <main className="mx-auto max-w-2xl px-5 py-10 sm:px-10 sm:py-16">
      <BackLink to={paths.signUp()} />
      <h1 tabIndex={-1} className="font-semibold text-3xl tracking-tight">
        {title}
      </h1>
      <p className="mt-3 text-pretty text-soft">{lead}</p>
      {own.url && (
        <p className="mt-6 rounded-xl bg-accent-wash px-4 py-3">
          {own.says}{' '}
          <a href={own.url} className={`${textLink} break-all`}>
            {own.url}
          </a>
        </p>
      )}
      {sections.map((section) => (
        <section key={section.title} className="mt-8">
          <h2 className="font-semibold text-lg tracking-tight">{section.title}</h2>
          <p className="mt-1.5 text-pretty text-soft leading-7">{section.text}</p>
        </section>
      ))}
    </main>
  )
}

type OperatorProps = { operatorName: string | null; operatorContact: string }

/** Who runs this installation, and where they can be reached. */
export function Operator({ operatorName, operatorContact }: OperatorProps) {
  const isPage = /^https?:/.test(operatorContact)
  return (
    <>
      {' '}
      {operatorName === null ? 'Its operator' : `It is operated by ${operatorName}, who`} can be
      reached at{' '}
      <a
        href={isPage ? operatorContact : `mailto:${operatorContact}`}
        className={`${textLink} wrap-anywhere`}
      >
        {operatorContact}
      </a>
      .
    </>
  )
}
