/**
 * What an SPF record lost: a term of the service that still has the domain's mail, so that mail sent there begins to fail
 * (decision 017). Pure.
 */
import { getDomain } from 'tldts'
import {
  expectedSpf,
  isSpf,
  parseSpf,
  type SpfTerm,
} from '#server/standards/dns-records/spf-record.ts'
import type { PresentMx } from '#server/storage/rows/domain-tables.ts'
import { elsewhereOf, presentMail } from './receiving-changes.ts'
import { serviceOfMx, serviceOfSpf } from './services.ts'
import { shownText, type Verdict } from './verdict.ts'

type Former = {
  domain: string
  /** Earlier SPF records, newest first. */
  records: readonly string[]
  /** Where the mail goes; null: not known. */
  mx: readonly PresentMx[] | null
  mailHost: string
}

/** A verified record stays verified and asks; a proposal takes up what is lost. */
export const withFormerTerms = (verdict: Verdict, former: Former): Verdict => {
  const { state, found } = verdict
  const [record = ''] = found
  if (state === 'verified') return withQuestion(verdict, record, former)
  const isGone = state === 'waiting' && found.length === 0
  const isBroken = state === 'different' && parseSpf(record).broken.length > 0
  const whole = isGone || isBroken ? lastWhole(former, record) : null
  const terms = [...new Set([...(whole ? termsOf(whole) : []), ...lostTerms(record, former)])]
  if (verdict.value === undefined || terms.length === 0) return verdict
  const merged = expectedSpf([verdict.value], terms)
  return { ...verdict, value: hasEnd(merged) ? merged : `${merged} ${endOf(whole)}` }
}

const withQuestion = (verdict: Verdict, record: string, former: Former): Verdict => {
  const [term] = lostTerms(record, former)
  if (term === undefined) return verdict
  const { domain, mx, mailHost } = former
  const where = elsewhereOf(presentMail(mx ?? [], mailHost))
  const question = `This SPF record does not name '${term}' any more, and mail for ${domain} still goes to ${where}: mail that is sent there begins to fail. Was it dropped on purpose?`
  const fix = `If not, add '${term}' to the TXT record at ${domain} again. If it was, leave the record as it is.`
  return {
    ...verdict,
    explanation: shownText([verdict.explanation, question].filter(Boolean).join(' ')),
    fix: shownText([verdict.fix, fix].filter(Boolean).join(' ')),
  }
}

/** Terms of earlier records that authorise the service that has the mail, and stand no more in this one. */
const lostTerms = (record: string, { records, mx, mailHost }: Former): string[] => {
  const { foreign } = presentMail(mx ?? [], mailHost)
  const named = new Set(parseSpf(record).terms.map(({ value }) => value.toLowerCase()))
  const redirect = parseSpf(record).redirect?.toLowerCase()
  const lost = records
    .flatMap((text) => parseSpf(text).terms)
    .filter(({ mechanism, qualifier }) => mechanism === 'include' && qualifier === '+')
    .filter(({ value }) => !named.has(value.toLowerCase()) && value.toLowerCase() !== redirect)
    .filter((term) => foreign.some(({ host }) => isOfHost(term, host)))
  return [...new Set(lost.map(({ text }) => text))]
}

/** By the tables of known services, otherwise by the registered name that both are below. */
const isOfHost = ({ value }: SpfTerm, host: string): boolean => {
  const service = serviceOfMx(host)
  if (service !== null) return serviceOfSpf(value)?.name === service.name
  const registered = getDomain(host)
  return registered !== null && getDomain(value) === registered
}

/** The newest earlier record without a mistake. */
const lastWhole = ({ records }: Former, record: string): string | null =>
  records.find((text) => text !== record && isSpf(text) && parseSpf(text).broken.length === 0) ??
  null

const termsOf = (record: string): string[] =>
  parseSpf(record)
    .terms.filter(({ mechanism }) => mechanism !== 'all')
    .map(({ text }) => text)

const hasEnd = (record: string): boolean => {
  const { terms, redirect } = parseSpf(record)
  return redirect !== null || terms.some(({ mechanism }) => mechanism === 'all')
}

const endOf = (whole: string | null): string =>
  (whole && parseSpf(whole).terms.find(({ mechanism }) => mechanism === 'all')?.text) || '~all'
