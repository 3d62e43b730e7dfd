/** Parts of the page of the morning report: whether all exports came, and the proof. The report comes in, HTML comes out. */
import { type Message, verbatimText } from '../i18n/message.ts';
import { HOME_COMPLETE } from '../i18n/messages/console/console-home-messages.ts';
import { NOTICE_STATUS } from '../i18n/messages/console/console-notices-messages.ts';
import { ANSWERS_STATE } from '../i18n/messages/report/report-answers-messages.ts';
import { NIGHT_COLUMN, NIGHT_PROOF, NIGHT_TEXT } from '../i18n/messages/report/report-page-messages.ts';
import { durationText } from '../text/duration-text.ts';
import { differsFromControl } from '../views/queries/alarms.ts';
import { fieldMessages, leftMessages } from '../views/queries/reported-answers.ts';
import { controlWords } from '../views/reporting/control-words.ts';
import type { NightReport } from '../views/reporting/report-shape.ts';
import { gib } from '../views/wording/amount-texts.ts';
import { html, type Markup } from './markup.ts';
import { cells, mark, type ReportWording, reportTable } from './report-page-table.ts';

type Expected = NightReport['expected'][number];

const TONE = {
  arrived: 'ok',
  missing: 'bad',
  refused: 'bad',
  duplicate: 'look',
  waived: 'calm',
  'not-due': 'calm',
} as const satisfies { readonly [state in Expected['state']]: Parameters<typeof mark>[0] };

export function completeTable({ expected }: NightReport, to: ReportWording): Markup {
  const { say } = to;
  if (expected.length === 0) return html`<p class="none">${say(NIGHT_TEXT.noneExpected())}</p>`;
  const hasControls = expected.some(({ controls }) => controls !== undefined);
  const columns = ['export', 'state', 'arrived', 'rows', ...(hasControls ? (['control'] as const) : [])] as const;
  const rows = expected.map((one) =>
    cells(
      html`${one.name} <span class="dim">${one.files}</span>`,
      mark(toneOf(one), say(HOME_COMPLETE[one.state]())),
      arrival(one, to),
      rowsOf(one, to),
      ...(hasControls ? [controlOf(one, to)] : []),
    ),
  );
  return reportTable(
    columns.map((name) => say(NIGHT_COLUMN[name]())),
    rows,
  );
}

/** On a telephone the columns with what differs are further right than the screen. */
function toneOf({ state, controls, unusual }: Expected) {
  if (state !== 'arrived') return TONE[state];
  if (differsFromControl(controls)) return 'bad';
  return unusual === undefined ? TONE.arrived : 'look';
}

function arrival({ state, due, arrivedAt, lateSeconds, by, reason }: Expected, { say, time }: ReportWording): string {
  if (state === 'waived') return [by, reason].filter((one) => one !== undefined).join(': ');
  // Its hour has passed before the first run.
  if (state === 'not-due') return '';
  if (arrivedAt === undefined) return say(NIGHT_TEXT.due({ at: time(due) }));
  const late = lateSeconds === undefined ? [] : [say(NIGHT_TEXT.late({ duration: durationText(lateSeconds) }))];
  return [time(arrivedAt), ...late].join(', ');
}

function rowsOf({ rows, usual, unusual }: Expected, { say, count }: ReportWording): Markup {
  if (rows === undefined) return html``;
  const { min, max } = usual ?? {};
  const range = usualText(min, max, count);
  const words = unusual === undefined ? html`` : html` ${mark('look', say(NIGHT_TEXT[unusual]()))}`;
  return html`${count(rows)}${words}${range ? html` <span class="dim">${say(range)}</span>` : html``}`;
}

function usualText(
  min: number | undefined,
  max: number | undefined,
  count: ReportWording['count'],
): Message | undefined {
  if (min !== undefined && max !== undefined) return NIGHT_TEXT.usualRange({ min: count(min), max: count(max) });
  if (min !== undefined) return NIGHT_TEXT.usualMin({ min: count(min) });
  return max === undefined ? undefined : NIGHT_TEXT.usualMax({ max: count(max) });
}

function controlOf({ controls }: Expected, { say, count, amount }: ReportWording): Markup {
  if (!controls) return html``;
  const { files, problem } = controls;
  if (files.length === 0) return mark('look', say(NIGHT_TEXT.noControl()));
  if (problem !== undefined) return html`${mark('look', files.join(', '))} ${problem}`;
  const differs = controlWords(controls, { count, amount });
  if (differs.length === 0) return mark('ok', say(NIGHT_TEXT.controlSame()));
  return html`${differs.map((one) => html`<div>${mark('bad', say(one))}</div>`)}`;
}

/** What anyone can check: rows, chain, copies, disk, clock. */
export function proofList(report: NightReport, { say, time, amount, count }: ReportWording): Markup {
  const { proof, head, previous } = report;
  const { guard, disk, backupAt, clockBefore, longestAnswerMs, documentsPerSecond } = proof;
  const zero = (n: number) => (n === 0 ? mark('ok', '0') : mark('bad', count(n)));
  const sends = guard.send ? NIGHT_PROOF.yes() : NIGHT_PROOF.no({ code: guard.code ?? '' });
  const clock = clockBefore === null ? NIGHT_PROOF.clockRight() : NIGHT_PROOF.clockBefore({ at: time(clockBefore) });
  const lines: readonly (readonly [keyof typeof NIGHT_PROOF, Markup | string])[] = [
    ['files', count(proof.files)],
    ['rows', count(proof.rows)],
    ['unaccounted', zero(proof.unaccounted)],
    ['twice', zero(proof.twice)],
    [
      'guard',
      mark(guard.send && !proof.quarantine ? 'ok' : 'bad', say(proof.quarantine ? NIGHT_PROOF.quarantine() : sends)),
    ],
    ['head', html`<code>${head ?? '–'}</code>`],
    ['previous', previous ? html`${previous.id} <code>${previous.sha256}</code>` : say(NIGHT_PROOF.first())],
    ['backup', backupAt === null ? mark('look', say(NIGHT_PROOF.noBackup())) : time(backupAt)],
    [
      'disk',
      say(
        disk ? NIGHT_PROOF.free({ free: amount(gib(disk.free)), all: amount(gib(disk.all)) }) : NIGHT_PROOF.unknown(),
      ),
    ],
    ['clock', mark(clockBefore === null ? 'ok' : 'bad', say(clock))],
    ['longest', say(longestAnswerMs === null ? verbatimText('–') : NIGHT_PROOF.ms({ count: count(longestAnswerMs) }))],
    [
      'speed',
      documentsPerSecond === null ? '–' : say(NIGHT_PROOF.perSecond({ count: amount(String(documentsPerSecond)) })),
    ],
  ];
  const label = (name: keyof typeof NIGHT_PROOF) => say((NIGHT_PROOF[name] as () => Message)());
  return html`<dl class="proof">${lines.map(
    ([name, value]) => html`<dt>${label(name)}</dt><dd>${value}</dd>
`,
  )}${answersLine(report, say)}${noticesLine(report, { say, time })}</dl>`;
}

/** Whether the ERP has all answers; nothing where no mapping has any. */
function answersLine({ answers }: NightReport, say: ReportWording['say']): Markup {
  if (!answers) return html``;
  const { documents, files, delays, fields, left = [] } = answers;
  const open = documents + files > 0 ? [ANSWERS_STATE.waiting({ count: Math.max(documents, files) })] : [];
  const problems = [...delays.map(ANSWERS_STATE.delayedBy), ...fieldMessages(fields), ...leftMessages(left)];
  const marks = [...open, ...problems].map((message) => html`<div>${mark('look', say(message))}</div>`);
  return html`<dt>${say(ANSWERS_STATE.label())}</dt><dd>${marks.length > 0 ? marks : mark('ok', say(ANSWERS_STATE.allReported()))}</dd>`;
}

/** Whether mail and webhooks arrive; nothing where there is no channel. */
function noticesLine({ notices }: NightReport, { say, time }: Pick<ReportWording, 'say' | 'time'>): Markup {
  if (!notices) return html``;
  const { waiting, failed, off } = notices;
  const counted = failed > 0 ? NOTICE_STATUS.countedFailed({ waiting, failed }) : NOTICE_STATUS.counted({ waiting });
  const gone = off.map(({ channel, since }) => NOTICE_STATUS.offShort({ channel, since: time(since) }));
  const calm = waiting > 0 ? 'look' : 'ok';
  return html`<dt>${say(NOTICE_STATUS.title())}</dt><dd>${mark(failed > 0 ? 'bad' : calm, say(counted))}${gone.map(
    (one) => html`<div>${mark('bad', say(one))}</div>`,
  )}</dd>`;
}
