/**
 * Answers by document number: a French number that ends in `-X6` is rejected, in `-XLOST` loses its answer, and so on.
 * `-X6ONCE` does so the first time only, for "correct it and send it again". Remission notes have plain integers, so
 * their last two digits decide, and only with `scriptedNumbers`. A number without mark gives undefined.
 */

import { dictionary } from '../text/dictionary.ts';
import type { ScenarioAnswer } from './scenario-schema.ts';

const HTML_PAGE = '<!doctype html><title>Gateway</title><p>The page you asked for is being prepared.</p>\n';

/**
 * The answer of each mark. A mark whose answer hides the outcome accepts the document: sending it again is a duplicate.
 */
export const NUMBER_TRIGGERS = {
  '4': { code: 4 },
  '6': { code: 6 },
  '8': { code: 8 },
  '11': { code: 11 },
  '15': { code: 15 },
  '18': { code: 18 },
  '400': { http: 400 },
  '401': { http: 401 },
  '403': { http: 403 },
  '429': { http: 429, retryAfterSeconds: 1 },
  '500': { http: 500 },
  DROP: { drop: 'before' },
  LOST: { drop: 'after' },
  CUT: { drop: 'during' },
  SLOW: {},
  HTML: { body: HTML_PAGE, contentType: 'text/html; charset=utf-8' },
  ECHO: { echo: 'both' },
  UNKNOWN: { code: 99, accept: true },
} as const satisfies Record<string, ScenarioAnswer>;

type Mark = keyof typeof NUMBER_TRIGGERS;

/** Last two digits of a `NumeroSecuencial` -> mark. */
export const DIGITS = dictionary<Mark>({
  '04': '4',
  '06': '6',
  '08': '8',
  '11': '11',
  '15': '15',
  '18': '18',
  '40': '400',
  '41': '401',
  '43': '403',
  '49': '429',
  '50': '500',
  '90': 'DROP',
  '91': 'LOST',
  '92': 'SLOW',
  '93': 'HTML',
  '94': 'ECHO',
  '95': 'CUT',
  '99': 'UNKNOWN',
});

const MARKED = new RegExp(`-X(${Object.keys(NUMBER_TRIGGERS).join('|')})(ONCE)?$`);

/**
 * The answer that a number asks for. `seen`: how many submissions of this number came before. `slowMs`: delay of
 * -XSLOW.
 */
export function markedAnswer(number: string, seen: number, slowMs: number): ScenarioAnswer | undefined {
  const found = number.includes('-X') ? MARKED.exec(number) : null;
  if (!found || (found[2] && seen > 0)) return undefined;
  return answerFor(found[1] as Mark, slowMs);
}

/** The same by the last two digits, for remission notes. */
export function digitsAnswer(number: string, slowMs: number): ScenarioAnswer | undefined {
  const mark = DIGITS.get(number.padStart(2, '0').slice(-2));
  return mark && answerFor(mark, slowMs);
}

function answerFor(mark: Mark, slowMs: number): ScenarioAnswer {
  return mark === 'SLOW' ? { delayMs: slowMs } : NUMBER_TRIGGERS[mark];
}
