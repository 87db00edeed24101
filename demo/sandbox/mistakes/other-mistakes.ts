/** Mistakes in the ownership record, in DMARC and in MX. */
import {
  atOtherName,
  doubled,
  type Mistake,
  OTHER_PROVIDER,
  ofType,
  withValues,
} from './mistake.ts'

const DOUBLED = {
  title: 'Host name doubled',
  text: 'The whole name is typed as the host, and the editor puts the zone behind it once more.',
}

export const ownershipMistakes: readonly Mistake[] = [
  {
    id: 'ownership-doubled',
    group: 'ownership',
    ...DOUBLED,
    make: atOtherName('ownership', doubled),
  },
  {
    id: 'ownership-apex',
    group: 'ownership',
    title: 'At the domain itself',
    text: 'The host is left empty, so the record stands at the domain itself.',
    make: atOtherName('ownership', (_, { domain }) => domain),
  },
  {
    id: 'ownership-other',
    group: 'ownership',
    title: 'The proof of another workspace',
    text: 'The value of another workspace is pasted.',
    make: withValues('ownership', () => [
      'mailstead-verify=5d1f0c7a9b3e4826a7c4d2e1f0b9a8c7d6e5f4a3',
    ]),
  },
  {
    id: 'ownership-short',
    group: 'ownership',
    title: 'The end is missing',
    text: 'The last characters were not copied.',
    make: withValues('ownership', (value) => [value.slice(0, -6)]),
  },
  {
    id: 'ownership-alias',
    group: 'ownership',
    title: 'A CNAME instead of a TXT record',
    text: 'The type in the editor is left at CNAME.',
    make: ofType('ownership', 'CNAME', `verify.${OTHER_PROVIDER}`),
  },
]

export const dmarcMistakes: readonly Mistake[] = [
  {
    id: 'dmarc-plain',
    group: 'dmarc',
    title: 'Without the underscore',
    text: 'The host is typed as dmarc.',
    make: atOtherName('dmarc', (name) => name.replace('_dmarc', 'dmarc')),
  },
  {
    id: 'dmarc-policy',
    group: 'dmarc',
    title: 'A policy that is none',
    text: 'The policy is a word that DMARC does not know.',
    make: withValues('dmarc', () => ['v=DMARC1; p=nothing']),
  },
  {
    id: 'dmarc-semicolon',
    group: 'dmarc',
    title: 'A semicolon is missing',
    text: 'The parts are separated by a space only.',
    make: withValues('dmarc', () => ['v=DMARC1 p=none']),
  },
  {
    id: 'dmarc-two',
    group: 'dmarc',
    title: 'Two policies',
    text: 'A second policy is added beside the first.',
    make: withValues('dmarc', (value) => [value, 'v=DMARC1; p=reject']),
  },
]

export const mxMistakes: readonly Mistake[] = [
  {
    id: 'mx-same',
    group: 'mx',
    title: 'Another MX, same priority',
    text: 'The mail server of another provider stays beside ours.',
    make: withValues('mx', (value) => [value, `${value.split(' ')[0]} mx.${OTHER_PROVIDER}`]),
  },
  {
    id: 'mx-other',
    group: 'mx',
    title: 'Another provider only',
    text: 'Mail still goes where it went before.',
    make: withValues('mx', () => [`10 mx.${OTHER_PROVIDER}`]),
  },
  {
    id: 'mx-null',
    group: 'mx',
    title: 'A null MX',
    text: 'The record says that the domain takes no mail.',
    make: withValues('mx', () => ['0 .']),
  },
  {
    id: 'mx-appended',
    group: 'mx',
    title: 'The domain appended',
    text: 'The editor puts the zone behind the mail server, since it has no dot at the end.',
    make: withValues('mx', (value, { zone }) => [`${value}.${zone}`]),
  },
]
