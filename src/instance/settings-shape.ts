/**
 * The shape of nightpost.yaml: every setting with its type, default and description. It has no logic of its own;
 * settings.ts merges the layers and checks them against it.
 */
import { normalize } from 'node:path';
import { z } from 'zod';
import { SERVICES } from '../catalogue.ts';
import { SETTINGS_VALUE } from '../i18n/messages/settings-messages.ts';
import { expecting, refusedWith } from '../model/shape-issue.ts';
import { isZone } from '../text/local-time.ts';
import { expectationShape, reportShape } from './expect-shape.ts';
import { ledgerShape } from './ledger-shape.ts';
import { metricsShape, watchShape } from './monitoring-shape.ts';
import { notifyShape } from './notify-shape.ts';
import { rulesShape } from './rules-shape.ts';
import { serveShape } from './serve-shape.ts';
import { age, anyAge, duration, interval, size } from './setting-measures.ts';

const inbox = z.strictObject({
  settle: duration.prefault('5s').describe('a file is taken when its size and time have not changed for so long'),
  scan: interval.prefault('5s').describe('how often watch looks into the folder, whatever events say'),
  polling: z.boolean().default(false).describe('for network shares: no file system events, only the scan'),
  marker: z
    .string()
    .regex(/^\.[\w-]+$/, expecting(SETTINGS_VALUE.marker()))
    .optional()
    .describe('take F only once F plus this suffix exists, e.g. .done'),
  ignore: z
    .array(z.string())
    .default([])
    .describe(
      'further name patterns to leave alone, e.g. "*.bak"; a run lists a file after a day whose name a mapping accepts',
    ),
  'max-file': size.prefault('4GiB').describe('a larger file is refused before it is read'),
});

const documents = z.strictObject({
  'max-rows': z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe('a document of more rows is refused, and the other documents of its file go on'),
  'max-size': size
    .prefault('64MiB')
    .describe('the same for a document whose cells hold more text, counted in characters (MiB: 1,048,576 of them)'),
});

const receipts = z.strictObject({
  answers: z
    .enum(['none', 'xml'])
    .default('none')
    .describe('xml: also write reports/<file>.answers.xml for the ERP, one element per document'),
});

/** An answer in the inbox would be read as an export. */
const WORK_FOLDERS = /^(?:inbox|processing|outbox|pending|error|archive|state|logs)(?:$|[\\/])/;

/** Files that mappings with `answers` write for the ERP. */
const answers = z.strictObject({
  folders: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]*$/, expecting(SETTINGS_VALUE.answersFolder())),
      z
        .string()
        .min(1)
        .refine((path) => !WORK_FOLDERS.test(normalize(path)), refusedWith(SETTINGS_VALUE.ownFolder())),
    )
    .default({})
    .describe(
      'folder of each name that mappings write under to; a path from the instance folder, or a whole path, which Nightpost never creates',
    ),
  every: interval
    .prefault('5m')
    .describe(
      'how often a watch writes answers about what changed; at its start it writes those that are left. A run, and a watch that is stopped, write them at the end',
    ),
});

/** Files with the rows of failed documents, which people correct and put back into the inbox. */
const corrections = z.strictObject({
  files: z
    .array(z.enum(['xlsx', 'csv']))
    .min(1)
    .default(['xlsx', 'csv'])
    .describe('which files hold the rows to correct: *.to-fix.xlsx, *.to-fix.csv, or both'),
  damage: z
    .enum(['restore', 'refuse'])
    .default('restore')
    .describe(
      'a cell that only a spreadsheet changed: keep its archived value, or refuse the corrections of its document',
    ),
});

/** 10000 or "1234.50" -> the text, for exact comparison. */
const amount = z
  .union([z.string(), z.number()], expecting(SETTINGS_VALUE.amount()))
  .transform(String)
  .refine((text) => /^\d+(\.\d+)?$/.test(text), refusedWith(SETTINGS_VALUE.amount()));

/** Hold rules: a document that meets one waits for `release` or `reject`. */
const hold = z.strictObject({
  'new-mapping': z
    .boolean()
    .default(false)
    .describe('hold the files of a new mapping version until a person has released a document of it'),
  'new-issuer': z
    .boolean()
    .default(true)
    .describe('hold documents of an issuer for which nothing was ever sent, once others were sent'),
  over: z
    .record(z.string().regex(/^[A-Z]{3}$/, expecting(SETTINGS_VALUE.currency())), amount)
    .default({})
    .describe('hold documents with a larger amount, per currency, e.g. { EUR: 50000 }; the sign does not count'),
  'unknown-receiver': z
    .boolean()
    .default(false)
    .describe('hold documents for a receiver that no document was ever authorized for'),
});

const run = z.strictObject({
  'give-up-after': duration.prefault('2m').describe('run: how long an unreachable service is tried before exit 5'),
  'max-errors': z
    .int()
    .min(1)
    .default(50)
    .describe('rejections in a row, with no success between, that stop a service for the night'),
  canary: z
    .int()
    .min(0)
    .max(100)
    .default(1)
    .describe('documents of a night per service, and of a new mapping version, that go alone and first; 0: none'),
  'same-cause': z
    .int()
    .min(0)
    .default(10)
    .describe('rejections of one mapping in a row, for one cause, after which its queued documents are held; 0: never'),
  hold: hold.prefault({}).describe('documents that a person has to look at before they are sent'),
  'consult-per-minute': z.int().min(1).max(60).default(6).describe('consultations per minute and service'),
});

const keep = z.strictObject({
  archive: age.describe('exports in archive/, counted from their archiving; for ever where nothing is said'),
  receipts: age.describe(
    'receipts and payloads of documents that are done, and summaries of exports all of whose documents are',
  ),
  answers: age.describe('answer files that are still in their folder; the ledger keeps their reports'),
  content: age.describe('contents, names, amounts and answers in the ledger; identities and hashes stay'),
  reports: age.describe('morning reports in reports/; their hashes stay'),
  logs: age.describe('files in logs/, and the history of sign-ins to the console'),
  sessions: anyAge.default('30d').describe('sessions of the console that have ended, with the address they came from'),
  requests: anyAge
    .default('30d')
    .describe('answers to acts of people, counted from their end; an act that is repeated later is a new one'),
  notices: age.describe('texts of notices in the ledger; when they were sent, and to which channel, stays'),
});

/**
 * The whole file, strict: an unknown key is `config/unknown-key`. The JSON schema for editors, `explain` and the manual
 * are made of it.
 */
export const settingsShape = z.strictObject({
  version: z.literal(1).describe('version of this file format'),
  company: z.string().min(1).optional().describe('name shown in reports'),
  'time-zone': z
    .string()
    .refine(isZone, refusedWith(SETTINGS_VALUE.timeZone()))
    .optional()
    .describe(
      'IANA zone of times on screens, of the days of folders and filters, and of the hours in expect, e.g. Europe/Paris; that of this machine unless set',
    ),
  environment: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, expecting(SETTINGS_VALUE.environment()))
    .default('default')
    .describe('which block of environments applies'),
  services: z
    .strictObject(Object.fromEntries(SERVICES.map((service) => [service.name, service.settings.optional()])))
    .prefault({})
    .describe('the remote services; one that is absent is not used'),
  inbox: inbox.prefault({}),
  documents: documents.prefault({}),
  run: run.prefault({}),
  rules: rulesShape.prefault({}).describe('what documents must satisfy before they are sent (docs/reference/rules.md)'),
  receipts: receipts.prefault({}),
  answers: answers.prefault({}),
  corrections: corrections.prefault({}),
  ledger: ledgerShape.prefault({}),
  expect: z
    .array(expectationShape)
    .default([])
    .describe('exports that should arrive, and by when; Nightpost reports those that did not'),
  report: reportShape.prefault({}).describe('the morning report in reports/'),
  permissions: z
    .strictObject({
      strict: z
        .boolean()
        .default(true)
        .describe(
          'nothing starts where another account may change mappings, secrets or state; for nightpost.yaml itself only NIGHTPOST_PERMISSIONS__STRICT=false counts',
        ),
    })
    .prefault({}),
  share: z
    .strictObject({
      group: z
        .string()
        .regex(/^[a-z_][a-z0-9_.-]*\$?$/i, expecting(SETTINGS_VALUE.group()))
        .describe('its members work in inbox/, error/, pending/ and reports/; everything else stays private'),
    })
    .optional()
    .describe('a group of this machine that shares the folders of finance; Windows uses access lists instead'),
  decisions: z
    .strictObject({
      'require-name': z
        .boolean()
        .default(false)
        .describe(
          'a receipt in pending/release or pending/reject counts only if its file names the person who put it there',
        ),
      'two-people': z
        .strictObject({
          'in-doubt': z
            .boolean()
            .default(false)
            .describe(
              'another person approves that a document in doubt is sent again, or that its outcome is recorded',
            ),
          above: z
            .record(z.string().regex(/^[A-Z]{3}$/, expecting(SETTINGS_VALUE.currency())), amount)
            .default({})
            .describe(
              'another person approves decisions about documents with a larger amount; the sign does not count',
            ),
          expires: duration.prefault('24h').describe('a decision that no one approves within this time is not made'),
        })
        .prefault({})
        .describe('decisions that wait until another person approves them'),
    })
    .prefault({})
    .describe('decisions of people: by moving files, and by two people'),
  keep: keep.prefault({}).describe('how long nightpost purge keeps what; nothing is removed by itself'),
  serve: serveShape.prefault({}).describe('the console that nightpost serve opens in the browser'),
  metrics: metricsShape.prefault({}).describe('numbers for Prometheus (docs/reference/metrics.md)'),
  watch: watchShape.prefault({}).describe('what nightpost watch answers to service managers'),
  notify: notifyShape.describe('who gets notices of what happens: by mail, webhook or heartbeat'),
  sequences: z
    .record(z.string(), z.strictObject({ start: z.int().min(1) }))
    .default({})
    .describe('first number of a sequence used by mappings, 1 where not given'),
  'allow-loopback': z
    .boolean()
    .default(false)
    .describe('an environment called prod or production may have services on this machine: a gateway, never a sandbox'),
  environments: z
    .record(z.string(), z.looseObject({}))
    .default({})
    .describe('settings that replace those above, per environment'),
});

/** Settings with every default filled in: durations in milliseconds, sizes in bytes, amounts as exact texts. */
export type Settings = z.infer<typeof settingsShape> & { readonly services: { readonly [name: string]: unknown } };
