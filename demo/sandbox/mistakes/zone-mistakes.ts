/** Mistakes that affect the whole zone, and trouble with its name servers. */
import type { Trouble } from '../../world/sandbox-zones.ts'
import { asked, type Mistake, OTHER_PROVIDER } from './mistake.ts'

export const zoneMistakes: readonly Mistake[] = [
  {
    id: 'zone-alias',
    group: 'zone',
    title: 'CNAME at the domain itself',
    text: 'The domain is made an alias of a website, and everything else at its name is gone.',
    make: ({ domain: name }) => ({
      swaps: [
        { name, type: 'TXT', put: [] },
        { name, type: 'MX', put: [] },
        { name, type: 'CNAME', put: [`sites.${OTHER_PROVIDER}`] },
      ],
    }),
  },
  {
    id: 'zone-wildcard',
    group: 'zone',
    title: 'A wildcard answers',
    text: 'The ownership record is missing, and a record at * answers in its place.',
    make: (place) => ({
      swaps: [
        { name: asked(place, 'ownership').name, type: 'TXT', put: [] },
        { name: `*.${place.domain}`, type: 'TXT', put: ['v=spf1 -all'] },
      ],
    }),
  },
  {
    id: 'zone-empty',
    group: 'zone',
    title: 'Nothing published',
    text: 'Every record that is asked for is missing.',
    make: (place) => ({
      swaps: place.asked.flatMap(({ name, type }) =>
        type === 'SRV' ? [] : [{ name, type, put: [] }],
      ),
    }),
  },
  {
    id: 'zone-gone',
    group: 'zone',
    title: 'The domain does not exist',
    text: 'No name server knows it, as if it were mistyped or had expired.',
    make: () => ({ isGone: true }),
  },
]

const server = (
  trouble: Trouble,
  title: string,
  text: string,
  needs: { needsSecondServer?: true } = {},
): Mistake => ({
  id: `servers-${trouble}`,
  group: 'servers',
  title,
  text,
  ...needs,
  make: () => ({ trouble }),
})

export const serverMistakes: readonly Mistake[] = [
  server('disagreeing', 'Servers that disagree', 'One name server does not have the records yet.', {
    needsSecondServer: true,
  }),
  server('silent', 'One server is silent', 'One name server does not answer at all.', {
    needsSecondServer: true,
  }),
  server('slow', 'Slow servers', 'Every name server takes more than a second to answer.'),
  server('failing', 'Servers that fail', 'Every name server answers SERVFAIL.'),
  server(
    'lame',
    'Servers without the zone',
    'The registrar names these name servers, but the zone was never added there.',
  ),
  server(
    'bogus',
    'Wrong signatures',
    'The DNSSEC signatures are wrong, so resolvers believe nothing.',
  ),
]
