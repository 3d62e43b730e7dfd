/**
 * Measures in the settings: a text with a unit comes in, a number of the smallest unit out. A space may be in front of the unit.
 * A wrong one is a fault of its key.
 */
import { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import { SETTINGS_VALUE } from '../i18n/messages/settings-messages.ts';
import { expecting, refusedWith } from '../model/shape-issue.ts';

const DURATION_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE_BYTES = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A schema for a count with a unit; its output is a number of the smallest unit (milliseconds, bytes). */
function measure(shape: RegExp, units: { readonly [unit: string]: number }, expected: Message) {
  return z
    .string(expecting(expected))
    .regex(shape, expecting(expected))
    .transform((text) => {
      const [, count, unit = ''] = shape.exec(text) ?? [];
      return Number(count) * (units[unit] ?? Number.NaN);
    });
}

/** "5s", "2 m", "1h" -> milliseconds. */
export const duration = measure(/^(\d+)\s?(ms|s|m|h|d)$/, DURATION_MS, SETTINGS_VALUE.duration());

/** The same, of something that is done again and again. */
export const interval = duration.refine((ms) => ms > 0, refusedWith(SETTINGS_VALUE.interval()));

/** "20MiB", "20 MiB" -> bytes. */
export const size = measure(/^(\d+)\s?(KiB|MiB|GiB)$/, SIZE_BYTES, SETTINGS_VALUE.size());

/** "90d", "10 y": days or years on the calendar. */
export const anyAge = z
  .string(expecting(SETTINGS_VALUE.age()))
  .regex(/^[1-9]\d{0,4}\s?[dy]$/, expecting(SETTINGS_VALUE.age()));

/** The same; absent means for ever. */
export const age = anyAge.optional();
