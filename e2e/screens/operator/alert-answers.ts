/** An installation with trouble: an alert now, alerts before, and backups of which one failed. */
import type { AlertsPage } from '#contract/operator/alerts.ts'
import type { BackupsPage } from '#contract/operator/backups.ts'

const id = (n: number) => `0190d5a0-0000-7000-8000-00000000010${n}`
const DISK = 'The disk of DATA_DIR at mail has 4.1 GB of 80.0 GB free.'

export const someAlerts: AlertsPage = {
  ways: [
    { setting: 'ALERT_URL', to: 'alerts.example' },
    { setting: 'ALERT_RELAY_URL', to: null },
  ],
  conditions: [
    { name: 'disk', mend: 'Delete what is not needed on the disk of DATA_DIR, or make it larger.' },
    { name: 'queue-age', mend: 'See what waits.' },
  ],
  firing: [{ name: 'disk', since: '2026-11-20T12:00:00.000Z', isTold: true, sentence: DISK }],
  news: [
    {
      ...{ _id: id(1), name: 'disk', news: 'begun', at: '2026-11-20T12:10:00.000Z' },
      sentence: DISK,
    },
    {
      ...{ _id: id(2), name: 'queue-age', news: 'ended', at: '2026-11-19T03:00:00.000Z' },
      sentence: 'Mail in the queue is due and nobody has tried it for 25 minutes.',
    },
  ],
}

const whole = {
  ...{ _id: id(3), place: 's3://backup.example:443/mailstead', snapshot: '20261120T030000Z' },
  ...{ startedAt: '2026-11-20T03:00:00.000Z', endedAt: '2026-11-20T03:09:00.000Z' },
  ...{ rows: 812_345, blobs: 401_222, missing: 0, writtenBytes: 1_200_000_000, error: '' },
}

export const someBackups: BackupsPage = {
  ...{ place: whole.place, nextAt: '2026-11-21T03:00:00.000Z', isAsked: false, lastWhole: whole },
  made: [
    whole,
    {
      ...{ ...whole, _id: id(4), snapshot: null, writtenBytes: 0 },
      error: 'The bucket refuses: AccessDenied',
    },
  ],
  verification: {
    ...{ askedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:05:00.000Z' },
    ...{ isWhole: true, says: 'Backup 20261120T030000Z is whole: 71 tables were read.' },
  },
}

export const noBackups: BackupsPage = {
  ...{ place: null, nextAt: null, isAsked: false, lastWhole: null, made: [], verification: null },
}

export const keptBackups = {
  items: [
    {
      ...{ id: '20261120T030000Z', at: '2026-11-20T03:00:00.000Z' },
      ...{ rows: 812_345, blobs: 401_222, missing: 0 },
    },
  ],
  trouble: '',
}
