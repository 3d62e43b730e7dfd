/** How long to wait before something is tried again: after "not sent", after HTTP 429, after a failed token call. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** 1 s, 2 s, 4 s .. 5 min, each shortened by up to half at random so that retries do not march in step. */
export function backOffMs(tries: number, random: () => number): number {
  const full = Math.min(5 * MINUTE, SECOND * 2 ** Math.min(tries, 20));
  return Math.max(SECOND, Math.round(full * (1 - random() / 2)));
}

const MOST_ASKED = 24 * 60 * MINUTE;

type Limited = {
  /** The header of the answer. */
  readonly retryAfter: string | undefined;
  /** The header `Date` of the same answer: a date is so long after it, whatever the clock of this machine says. */
  readonly date: string | undefined;
  readonly tries: number;
  readonly now: Date;
};

/** What the service asks for, kept between 1 s and 24 h; else 1 min, 2 min, 4 min .. 15 min. */
export function rateLimitMs({ retryAfter, tries, ...clocks }: Limited): number {
  const asked = askedMs(retryAfter?.trim(), clocks);
  if (asked !== undefined) return Math.min(MOST_ASKED, Math.max(SECOND, asked));
  return Math.min(15 * MINUTE, MINUTE * 2 ** Math.min(tries, 20));
}

/** RFC 9110, 10.2.3: whole seconds or an HTTP date; anything else says nothing. */
function askedMs(text: string | undefined, { date, now }: Pick<Limited, 'date' | 'now'>): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const until = httpDate(text);
  return until === undefined ? undefined : until - (httpDate(date?.trim()) ?? now.getTime());
}

function httpDate(text: string | undefined): number | undefined {
  const ms = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
