/** Parts that the pages of files share: what became of a file, its rows, bytes, amounts. Values come in, HTML comes out. */
import { randomUUID } from 'node:crypto';
import { FILE_OUTCOME, FILE_VIEW } from '../../../i18n/messages/cli-views-messages.ts';
import { FILE_DONE, FILE_PLACE } from '../../../i18n/messages/console/console-files-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { dictionary } from '../../../text/dictionary.ts';
import type { FaultBytes } from '../../../views/queries/fault-bytes.ts';
import type { FileAccount } from '../../../views/queries/file-accounts.ts';
import type { FileSummary } from '../../../views/queries/file-summary.ts';
import { amountTexts, groupDigits } from '../../../views/wording/amount-texts.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import type { NoticeOptions } from '../../shell/parts.ts';
import { pill, type Tone } from '../../shell/tones.ts';

type Speaker = Pick<ScreenContext, 'say' | 'language'>;

/** What became of it, and whether a person has to act. */
export function filePill({ state, need }: Pick<FileSummary, 'state' | 'need'>, { say }: Speaker): Markup {
  if (need === 'action')
    return pill({ tone: 'support', text: say(FILE_PLACE[state === 'refused' ? 'refused' : 'incomplete']()) });
  const tone: Tone = { admitted: 'ok', loading: 'wait', duplicate: 'queue', refused: 'queue' }[state] as Tone;
  const text = say(FILE_OUTCOME[state]());
  return pill({ tone, text: text.charAt(0).toUpperCase() + text.slice(1) });
}

/** Why nothing has to be done about it; undefined for a file like any other. */
export function fileNeedWords({ need, state, first }: FileSummary, { say }: Speaker): string | undefined {
  if (need === 'set-aside') return say(FILE_VIEW.setAside());
  if (need === 'replaced') return say(FILE_VIEW.replaced());
  return state === 'duplicate' && first ? say(FILE_VIEW.duplicate({ first: first.name })) : undefined;
}

/** The places of rows, in the order of the pages. `unaccounted` and `twice` must be 0. */
const ROW_PLACES = [
  'outbox',
  'pending',
  'error',
  'corrected',
  'leftOut',
  'withoutDocument',
  'unaccounted',
  'twice',
] as const;

/** How many rows are in each place, and which. */
export function rowPlaces({ rows }: FileAccount) {
  return ROW_PLACES.map((place) => {
    if (place === 'withoutDocument') return { place, count: rows.withoutDocument, rows: '' };
    if (place !== 'leftOut') return { place, ...rows[place] };
    const count = rows.leftOut.reduce((sum, one) => sum + one.count, 0);
    return { place, count, rows: rows.leftOut.map((one) => `${one.rule}: ${one.rows}`).join(' · ') };
  });
}

/** The amounts that were read, one per currency. */
export function readAmounts({ totals }: Pick<FileAccount, 'totals'>, { language }: Speaker): string {
  return amountTexts(Object.fromEntries(totals.map(({ currency, read }) => [currency, read.amount])), language).join(
    ', ',
  );
}

export function digits(count: number, { language }: Pick<ScreenContext, 'language'>): string {
  return groupDigits(String(count), language);
}

const PER_LINE = 8;

/** Eight bytes a line: offset, hexadecimal, and the text of ASCII; whatever else they are, they do nothing. */
export function bytesTable({ offset, bytes, marked }: FaultBytes, caption: string): Markup {
  const lines = Array.from({ length: Math.ceil(bytes.length / PER_LINE) }, (_, n) => n * PER_LINE);
  const shown = lines.map((at) => {
    const part = [...bytes.subarray(at, at + PER_LINE)];
    const hex = part.map((byte, n) => markedPart(byte.toString(16).padStart(2, '0'), offset + at + n === marked));
    const text = part.map((byte, n) => markedPart(textOf(byte), offset + at + n === marked));
    return markup`<tr><th scope="row">${(offset + at).toString(16).padStart(8, '0')}</th><td>${hex.map((one) => markup`${one} `)}</td><td>${text}</td></tr>`;
  });
  return markup`<div class="sideways" role="group" tabindex="0" aria-label="${caption}"><table class="bytes"><caption class="unseen">${caption}</caption><tbody>${shown}</tbody></table></div>`;
}

function markedPart(text: string, isMarked: boolean): Markup {
  return isMarked ? markup`<mark>${text}</mark>` : markup`${text}`;
}

function textOf(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
}

const DONE = dictionary<'takenAgain' | 'setAside' | 'undone' | 'waived' | 'unwaived' | 'accepted'>({
  'taken-again': 'takenAgain',
  'set-aside': 'setAside',
  undone: 'undone',
  waived: 'waived',
  unwaived: 'unwaived',
  accepted: 'accepted',
});

/** What the address says was done just now. */
export function doneNotice({ url, say }: Pick<ScreenContext, 'url' | 'say'>): NoticeOptions | undefined {
  const done = url.searchParams.get('done') ?? '';
  const key = DONE.get(done);
  return key && { tone: key === 'accepted' ? 'wait' : 'ok', text: say(FILE_DONE[key]()) };
}

/** The key of a form, made when it is shown. */
export function newFormId(): string {
  return randomUUID();
}
