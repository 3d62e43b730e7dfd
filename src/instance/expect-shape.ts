/** The settings of expected exports: when each must arrive, how many rows are usual, and what the ERP states about it. */
import { z } from 'zod';
import { REPORT_SETTING } from '../i18n/messages/report/report-settings-messages.ts';
import { SETTINGS_VALUE } from '../i18n/messages/settings-messages.ts';
import { addProblem, expecting } from '../model/shape-issue.ts';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, expecting(SETTINGS_VALUE.timeOfDay()));

const rows = z
  .strictObject({
    min: z.int().min(0).optional().describe('fewer rows are reported'),
    max: z.int().min(0).optional().describe('more rows are reported'),
  })
  .superRefine(({ min, max }, context) => {
    if (min !== undefined && max !== undefined && min > max) addProblem(context, REPORT_SETTING.rowsSwapped(), ['max']);
  });

const controls = z.strictObject({
  file: z.string().min(1).describe('pattern of the name of the control file, which the ERP puts into the inbox too'),
  documents: z.string().min(1).optional().describe('name of the value with the number of documents'),
  amount: z.string().min(1).optional().describe('name of the value with the amount of all documents'),
  decimal: z.enum([',', '.']).optional().describe('decimal sign, for amounts that could be read in two ways'),
});

/** An export that must arrive; `by` is on the clock of `time-zone`. */
export const expectationShape = z.strictObject({
  name: z.string().min(1).describe('what people call it'),
  files: z.string().min(1).describe('pattern of its file name'),
  by: timeOfDay,
  on: z
    .union(
      [
        z.enum(['daily', 'weekdays']),
        z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).min(1),
        z.strictObject({ monthly: z.int().min(1).max(31) }),
      ],
      expecting(SETTINGS_VALUE.days({ forms: 'daily, weekdays, [mon, thu], { monthly: 5 }' })),
    )
    .default('daily'),
  rows: rows.optional().describe('how many rows all its files of one day have; others are reported, never stopped'),
  like: z
    .string()
    .regex(/^last [1-9]\d$/, expecting(REPORT_SETTING.like()))
    .transform((text) => Number(text.slice('last '.length)))
    .optional()
    .describe('last 20: a file with fewer or more rows than the middle 90 % of the last 20 is reported, never stopped'),
  controls: controls.optional().describe('a control file states how many documents the ERP exported, and their amount'),
});

/** The morning report. */
export const reportShape = z.strictObject({
  at: timeOfDay
    .optional()
    .describe('watch: when it writes the report of the day, on the clock of time-zone; run writes one at its end'),
});
