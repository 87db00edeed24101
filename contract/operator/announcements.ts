/** What operators tell the people who are signed in, as operators keep it. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { announcement } from '../installation.ts'
import { route } from '../route.ts'

export const audience = z.enum(['everybody', 'admins'])

export const madeAnnouncement = announcement.extend({
  audience,
  madeBy: z.string().describe("An e-mail address, or 'terminal'."),
  madeAt: z.iso.datetime(),
  dismissed: z.number().int().describe('How many people do not want to see it any more.'),
})
export type MadeAnnouncement = z.infer<typeof madeAnnouncement>

export const listMadeAnnouncements = route({
  name: 'listMadeAnnouncements',
  method: 'GET',
  path: '/operator/announcements',
  summary: 'What is announced now, newest first',
  access: 'operator',
  reads: ['operating'],
  output: z.array(madeAnnouncement),
  errors: [],
})

export const announcing = z.strictObject({
  text: fields.announcementText,
  link: fields.announcementLink,
  audience,
  endsAt: fields.optionalEnd,
})
export type Announcing = z.infer<typeof announcing>

export const announce = route({
  name: 'announce',
  method: 'POST',
  path: '/operator/announcements',
  summary: 'Show a sentence to everybody who is signed in, or to Admins, until it ends',
  access: 'operator',
  changes: ['operating', 'announcements'],
  body: announcing,
  output: madeAnnouncement,
  errors: ['STATUS_NOT_ALLOWED'],
})

export const endAnnouncement = route({
  name: 'endAnnouncement',
  method: 'DELETE',
  path: '/operator/announcements/{id}',
  summary: 'Show it to nobody any more',
  access: 'operator',
  changes: ['operating', 'announcements'],
  params: z.object({ id: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
