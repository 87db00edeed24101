/** Mistakes in the SPF record, which lists the senders of the domain. */
import {
  asked,
  atOtherName,
  doubled,
  type Mistake,
  OTHER_PROVIDER,
  OTHER_SPF,
  withValues,
} from './mistake.ts'

/** The mechanisms of a record, without its version and its `all`. */
const middleOf = (value: string): string =>
  value
    .split(/\s+/)
    .filter((word) => !/^(v=spf1|[+~?-]?all)$/i.test(word))
    .join(' ')

const spf = (
  id: string,
  title: string,
  text: string,
  put: (middle: string, value: string) => string[],
): Mistake => ({
  id: `spf-${id}`,
  group: 'spf',
  title,
  text,
  make: withValues('spf', (value) => put(middleOf(value), value)),
})

export const spfMistakes: readonly Mistake[] = [
  {
    id: 'spf-doubled',
    group: 'spf',
    title: 'Host name doubled',
    text: 'The whole name is typed as the host, and the editor puts the zone behind it once more.',
    make: atOtherName('spf', doubled),
  },
  spf(
    'two',
    'Two SPF records',
    'The record of another mail service stays beside ours.',
    (_, value) => [OTHER_SPF, value],
  ),
  spf(
    'without-us',
    'Another service only',
    'The record of the old mail service stays, and ours is not added.',
    () => [OTHER_SPF],
  ),
  spf(
    'after-all',
    'Ours after -all',
    'Our part is added after -all, where receivers stop reading.',
    (middle) => [`v=spf1 -all ${middle}`],
  ),
  spf('everybody', 'Ends in +all', 'Every server in the world may send.', (middle) => [
    `v=spf1 ${middle} +all`,
  ]),
  spf(
    'nowhere',
    'An include that leads nowhere',
    'A service that was given up is still included.',
    (middle) => [`v=spf1 include:gone.${OTHER_PROVIDER} ${middle} ~all`],
  ),
  spf(
    'look-ups',
    'More than 10 look-ups',
    'Includes include others, more than receivers follow.',
    (middle) => [`v=spf1 include:_chain1.${OTHER_PROVIDER} ${middle} ~all`],
  ),
  spf(
    'quoted',
    'Quotes kept',
    'The value is pasted with quotation marks, and they become part of it.',
    (_, value) => [`"${value}"`],
  ),
  {
    id: 'spf-cached',
    group: 'servers',
    title: 'An old value in a cache',
    text: 'Everything is published, but the resolver still has the SPF record from before.',
    make: (place) => {
      const { name } = asked(place, 'spf')
      return { cached: { name, type: 'TXT', values: [OTHER_SPF] } }
    },
  },
]
