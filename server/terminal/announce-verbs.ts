import { announcementLink, announcementText } from '#contract/fields.ts'
import { audience } from '#contract/operator/announcements.ts'
import {
  announce,
  endAnnouncement,
  listMade,
} from '#server/features/operating/announcements/announcements.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { readEnd, readOptions } from './options.ts'
import { type Verb, WrongWords } from './verb.ts'

export const announceVerbs: Record<string, Verb> = {
  announce: {
    takes: 'TEXT [--until DAY] [--for admins] [--link URL]',
    does: 'shows a sentence to everybody who is signed in',
    words: [1, 7],
    run: async (app, ...typed) => {
      const { words, options } = readOptions(typed, ['until', 'for', 'link'])
      const text = announcementText.safeParse(words.join(' '))
      if (!text.success)
        throw new WrongWords('An announcement has 1 to 300 characters, on one line.')
      const link = announcementLink.safeParse(options.link ?? '')
      if (!link.success) throw new WrongWords('A link begins with https://.')
      const whom = audience.safeParse(options.for ?? 'everybody')
      if (!whom.success) throw new WrongWords('--for is followed by everybody or admins.')
      const endsAt = options.until === undefined ? null : readEnd(options.until).toISOString()
      const said = { text: text.data, link: link.data, audience: whom.data, endsAt }
      const { _id } = await announce(app, TERMINAL, said)
      return `It stands above every page now. To end it: npm run operator -- announce end ${_id}`
    },
  },
  'announce list': {
    takes: '',
    does: 'what is announced now',
    words: [0, 0],
    run: async (app) => ({
      head: ['announcement', 'link', 'for', 'until', 'dismissed by', 'by', 'since', 'id'],
      rows: (await listMade(app)).map((each) => [
        ...[each.text, each.link, each.audience, each.endsAt && new Date(each.endsAt)],
        ...[each.dismissed, each.madeBy, new Date(each.madeAt), each._id],
      ]),
      none: 'Nothing is announced.',
    }),
  },
  'announce end': {
    takes: '[ID]',
    does: 'ends it, or the only one there is',
    words: [0, 1],
    run: async (app, id = '') =>
      `Nobody sees it any more: ${await endAnnouncement(app, TERMINAL, id)}`,
  },
}
