/** The installation as a whole: health, announcements, alerts and backups, settings, and what operators did. */
import type { Page } from '@playwright/test'
import { click, dialog, type Screen } from '../screen.ts'
import { keptBackups, noBackups, someAlerts, someBackups } from './alert-answers.ts'
import { announced, madeAnnouncements } from './announcement-answers.ts'
import { goodHealth, sickHealth } from './health-answers.ts'
import { at, noRows } from './operator-steps.ts'

const health = at('/operator')
const announcements = at('/operator?tab=announcements')
const alerts = at('/operator?tab=alerts')
const settings = at('/operator?tab=settings')
const log = at('/operator?tab=log')

/** They come to an open page here, and move what is below; those that are there before are drawn by the server. */
const comes = (page: Page) => page.getByRole('status').getByText('We move').waitFor()

export const installationScreens: Screen[] = [
  health({
    ...{ name: 'operator, health', state: 'full', ready: 'things are wrong' },
    answers: { 'GET /operator/health': { json: sickHealth } },
  }),
  health({
    ...{ name: 'operator, health, well', state: 'empty', ready: 'All is well' },
    answers: { 'GET /operator/health': { json: goodHealth } },
  }),
  health({
    ...{ name: 'operator, health, loading', state: 'loading', holds: ['/operator/health'] },
    ready: 'It takes up to ten seconds.',
  }),
  health({
    ...{ name: 'operator, health, failed', state: 'failing', fails: ['/operator/health'] },
    ready: 'The installation could not be checked',
  }),
  announcements({
    ...{ name: 'operator, announcements', state: 'full', steps: comes, ready: 'Admins only' },
    answers: {
      'GET /operator/announcements': { json: madeAnnouncements },
      'GET /announcements': { json: announced },
    },
  }),
  announcements({
    ...{ name: 'operator, announcements, write', state: 'open', steps: click('Announce') },
    ready: (page) => dialog(page).getByLabel('Announcement'),
  }),
  announcements({
    ...{ name: 'operator, announcements, empty', state: 'empty', ready: 'Nothing is announced' },
    answers: { 'GET /operator/announcements': { json: [] } },
  }),
  announcements({
    ...{ name: 'operator, announcements, failed', state: 'failing' },
    ...{ fails: ['/operator/announcements'], ready: 'Error loading the announcements' },
  }),
  {
    ...{ name: 'announced', who: 'newcomer', state: 'full', path: '/dashboard/domains' },
    answers: { 'GET /announcements': { json: announced } },
    steps: comes,
    ready: 'We move to a new machine',
  },
  {
    ...{ name: 'announced to a holder', who: 'holder', state: 'full' },
    path: '/dashboard/view-mail',
    answers: { 'GET /announcements': { json: announced } },
    steps: comes,
    ready: 'We move to a new machine',
  },
  alerts({
    ...{ name: 'operator, alerts and backups', state: 'full', ready: 'Wrong now' },
    answers: {
      'GET /operator/alerts': { json: someAlerts },
      'GET /operator/backups': { json: someBackups },
      'GET /operator/backups/kept': { json: keptBackups },
    },
  }),
  alerts({
    ...{ name: 'operator, alerts and backups, none', state: 'empty', ready: 'No alert yet' },
    answers: { 'GET /operator/backups': { json: noBackups } },
  }),
  alerts({
    ...{ name: 'operator, alerts, failed', state: 'failing', fails: ['/operator/alerts'] },
    ready: 'Error loading the alerts',
  }),
  alerts({
    ...{ name: 'operator, backups, failed', state: 'failing', fails: ['/operator/backups*'] },
    ready: 'Error loading the backups',
  }),
  settings({ name: 'operator, settings', state: 'full', ready: 'Who may sign up' }),
  {
    ...{ name: 'operator, settings, first step', who: 'operator', state: 'full' },
    ...{ path: '/operator?tab=settings&step=first', ready: 'Check the installation' },
  },
  settings({
    ...{ name: 'operator, settings, failed', state: 'failing', fails: ['/operator/settings'] },
    ready: 'Error loading the settings',
  }),
  log({ name: 'operator, log', state: 'full', ready: 'workspace quota' }),
  log({
    ...{ name: 'operator, log, empty', state: 'empty', ready: 'No operator did anything yet' },
    answers: { 'GET /operator/actions*': { json: noRows } },
  }),
]
