/**
 * The page of the morning report, in the order of a reader's questions: is it complete, does the sum agree, what waits, what
 * changed, what proves it. The report comes in, one HTML file without script comes out, which prints on two pages A4.
 */
import { format, type Message } from '../i18n/message.ts';
import { ACTOR } from '../i18n/messages/cli-views-messages.ts';
import { HOME_COMPLETE } from '../i18n/messages/console/console-home-messages.ts';
import { NIGHT_COLUMN, NIGHT_PART, NIGHT_REPORT, NIGHT_TEXT } from '../i18n/messages/report/report-page-messages.ts';
import { localize } from '../model/fault.ts';
import { haltWords } from '../model/recorded-words.ts';
import { stateInfo } from '../model/state.ts';
import { type Locale, localTime } from '../text/local-time.ts';
import { foldedLines } from '../views/reporting/night-lines.ts';
import { isLineForPerson } from '../views/reporting/night-report.ts';
import { isEven, settledCount } from '../views/reporting/report-balance.ts';
import type { FileLine, NightReport } from '../views/reporting/report-shape.ts';
import { amountTexts, groupDigits } from '../views/wording/amount-texts.ts';
import { runChangeWords } from '../views/wording/run-change-words.ts';
import { decisionName } from '../views/wording/state-words.ts';
import { htmlPage } from './html-page.ts';
import { html, type Markup } from './markup.ts';
import { completeTable, proofList } from './report-page-parts.ts';
import { amountLines, cells, mark, REPORT_STYLE, type ReportWording, reportTable } from './report-page-table.ts';

const FILE_TONE = { refused: 'bad', duplicate: 'look' } as const;
/** More than these are counted in one line: the file stays small whatever the night. */
const [MOST_CAUSES, MOST_FILES, MOST_DECISIONS] = [25, 60, 20];

export function reportPage(report: NightReport, locale: Locale): string {
  const { language } = locale;
  const to: ReportWording = {
    say: (message) => format(message, language),
    time: (at) => localTime(at, locale),
    amount: (text) => groupDigits(text, language),
    count: (n) => groupDigits(String(n), language),
    language,
  };
  const { say, time } = to;
  const { verdict, run, kind, startedAt, endedAt, untoldSince, company, environment, program } = report;
  const title = verdict.sentence[language];
  const when = { run, start: time(startedAt), end: time(endedAt) };
  const about = [company, say(NIGHT_REPORT.environment({ environment }))].filter((one) => one !== undefined).join(', ');
  const untold = untoldSince === undefined ? undefined : say(NIGHT_REPORT.untold({ since: time(untoldSince) }));
  const part = (name: keyof typeof NIGHT_PART, body: Markup) => html`<section><h2>${say(NIGHT_PART[name]())}</h2>
${body}</section>
`;
  const body = html`<header class="night ${verdict.weight}">
<p>${say(NIGHT_REPORT.kind())} · ${about}</p>
<h1>${title}</h1>
<p>${say(kind === 'run' ? NIGHT_REPORT.run(when) : NIGHT_REPORT.watch(when))} ${untold}</p>
</header>
<main>
${part('complete', html`${completeTable(report, to)}${inboxList(report, to)}`)}
${part('balance', html`${balanceTable(report, to)}${settledTable(report, to)}`)}
${part('waits', causeList(report, to))}
${report.oldest.length > 0 ? part('oldest', oldestTable(report, to)) : html``}
${report.files.length > 0 ? part('files', filesTable(report, to)) : html``}
${part('earlier', earlierList(report, to))}
${part('changes', changeList(report, to))}
${part('proof', proofList(report, to))}
</main>
<footer>${say(NIGHT_REPORT.made({ version: program, file: `${run}.report.json` }))}</footer>`;
  return htmlPage({ language, title, body, style: REPORT_STYLE });
}

function inboxList({ inbox }: NightReport, { say, language }: ReportWording): Markup {
  if (inbox.length === 0) return html``;
  const lines = localize(inbox.slice(0, MOST_FILES), language).map(
    ({ message, code }) => html`<li>${say(NIGHT_TEXT.inboxRefused({ message }))} <code>${code}</code></li>`,
  );
  return html`<ul>${lines}</ul>`;
}

const AMOUNTS = ['read', 'sent', 'waiting', 'setAside', 'skipped', 'difference'] as const;

const OUTCOMES = ['sent', 'waiting', 'setAside', 'skipped'] as const;

/** Documents and amounts in these columns; those without an amount have a row only if there are any. */
function amountTable<T extends (typeof AMOUNTS)[number]>(
  names: readonly T[],
  sums: {
    readonly documents: { readonly [name in T]: number };
    readonly currencies: readonly ({ readonly currency: string } & { readonly [name in T]: string })[];
    readonly withoutAmount: { readonly [name in T]?: number };
  },
  { say, amount, count }: ReportWording,
): Markup {
  const { documents, currencies, withoutAmount } = sums;
  const without: readonly (number | undefined)[] = names.map((name) => withoutAmount[name]);
  const rows = [
    cells(say(NIGHT_COLUMN.documents()), ...names.map((name) => count(documents[name]))),
    ...currencies.map((one) => cells(one.currency, ...names.map((name) => amount(one[name])))),
    ...(without.some((found = 0) => found > 0)
      ? [cells(say(NIGHT_COLUMN.noAmount()), ...without.map((found) => (found === undefined ? '' : count(found))))]
      : []),
  ];
  return reportTable(['', ...names.map((name) => say(NIGHT_COLUMN[name]()))], rows, { numbersFrom: 1 });
}

function balanceTable({ balance, settled }: NightReport, to: ReportWording): Markup {
  const { say } = to;
  const { documents } = balance;
  if (documents.read === 0 && documents.difference === 0)
    return settled ? html`` : html`<p class="none">${say(NIGHT_TEXT.nothingRead())}</p>`;
  const verdict = isEven(balance)
    ? html`<p class="even">${say(NIGHT_TEXT.equation())}. ${say(NIGHT_TEXT.even())}</p>`
    : html`<p class="uneven"><b>${say(NIGHT_TEXT.uneven())}</b></p>`;
  return html`${amountTable(AMOUNTS, balance, to)}${verdict}`;
}

/** What became of documents of earlier exports; a night may read nothing and send thousands. */
function settledTable({ settled }: NightReport, to: ReportWording): Markup {
  if (!settled) return html``;
  const title = NIGHT_TEXT.settled({ count: settledCount(settled) });
  return html`<p class="even">${to.say(title)}</p>${amountTable(OUTCOMES, settled, to)}`;
}

function causeList({ causes }: NightReport, to: ReportWording): Markup {
  const { say, language, count } = to;
  if (causes.length === 0) return html`<p class="none">${say(NIGHT_TEXT.nothingWaits())}</p>`;
  const lines = causes.slice(0, MOST_CAUSES).map((one) => {
    const actor = one.responsible === 'nobody' ? '' : `, ${say(ACTOR[one.responsible]())}`;
    const amounts = amountTexts(one.amounts, language).join(', ');
    const about = [`${say(stateInfo(one.state).name)}${actor}`, amounts, one.documents.join(', ')].filter(Boolean);
    const link = one.link === undefined ? html`` : html` · <a href="${one.link}">${say(NIGHT_TEXT.show())}</a>`;
    return html`<li><b class="count">${count(one.count)}</b><div><p>${one.says[language]}</p>
<p class="dim">${about.join(' · ')}${link}</p><p>${one.todo[language]}</p><p><code>${one.command}</code></p></div></li>
`;
  });
  const more = causes.length - MOST_CAUSES;
  const rest = more > 0 ? html`<p>${say(NIGHT_TEXT.moreCauses({ count: more }))}</p>` : html``;
  return html`<ol class="causes">${lines}</ol>${rest}`;
}

function oldestTable({ oldest }: NightReport, { say, time }: ReportWording): Markup {
  const hasNext = oldest.some(({ nextAt }) => nextAt !== undefined);
  const columns = ['number', 'state', 'since', 'responsible', 'file', ...(hasNext ? (['next'] as const) : [])] as const;
  const rows = oldest.map((one) => {
    const actor = one.responsible === 'nobody' ? '' : say(ACTOR[one.responsible]());
    const next = hasNext ? [one.nextAt === undefined ? '' : time(one.nextAt)] : [];
    return cells(one.number, say(stateInfo(one.state).name), time(one.since), actor, one.file, ...next);
  });
  return reportTable(
    columns.map((name) => say(NIGHT_COLUMN[name]())),
    rows,
  );
}

/** Files with open work, or a difference, have a line each; of a large night the others are one line. */
function filesTable({ files }: NightReport, to: ReportWording): Markup {
  const { say, count, language } = to;
  const isShown = (line: FileLine) =>
    line.state === 'refused' || isLineForPerson(line) || (line.balance !== undefined && !isEven(line.balance));
  const { each, others } = foldedLines(files, isShown);
  const rows = each.slice(0, MOST_FILES).map((line) => fileRow(line, to));
  const more = each.length - rows.length;
  if (more > 0) rows.push(cells(say(NIGHT_TEXT.moreFiles({ count: more })), '', '', '', '', '', ''));
  if (others) {
    const { documents, sent } = others.line;
    const name = say(NIGHT_TEXT.otherFiles({ count: others.files }));
    rows.push(cells(name, count(documents), amountLines(amountTexts(sent, language)), '', '', '', ''));
  }
  const columns = ['file', 'documents', 'sent', 'waiting', 'setAside', 'skipped', 'difference'] as const;
  return reportTable(
    columns.map((name) => say(NIGHT_COLUMN[name]())),
    rows,
    { numbersFrom: 1 },
  );
}

/** A file that was refused, or that came before, says so, and why. */
function fileName({ file, state, faults }: FileLine, { say, language }: ReportWording): Markup {
  if (state !== 'refused' && state !== 'duplicate') return html`${file}`;
  const [fault] = state === 'refused' ? localize(faults.slice(0, 1), language) : [];
  const why = fault ? html` <span class="dim">${fault.message}</span>` : html``;
  return html`${file} ${mark(FILE_TONE[state], say(HOME_COMPLETE[state]()))}${why}`;
}

function fileRow(line: FileLine, to: ReportWording) {
  const { count, amount, language } = to;
  const { balance } = line;
  const name = fileName(line, to);
  if (!balance)
    return cells(name, count(line.documents), amountLines(amountTexts(line.sent, language)), '', '', '', '');
  const sums = (['sent', 'waiting', 'setAside', 'skipped', 'difference'] as const).map((place) => {
    const texts = balance.currencies.flatMap((one) =>
      Number(one[place]) === 0 ? [] : [`${amount(one[place])} ${one.currency}`],
    );
    const documents = balance.documents[place];
    if (documents === 0 && texts.length === 0) return place === 'difference' ? '0' : '';
    return amountLines([count(documents), ...texts]);
  });
  return cells(name, count(balance.documents.read), ...sums);
}

function earlierList({ earlier, decisions }: NightReport, { say, count }: ReportWording): Markup {
  const found = Object.entries(earlier).map(
    ([state, n]) => `${count(n)} ${say(stateInfo(state as keyof typeof earlier).inSentence)}`,
  );
  const lines = [
    ...(found.length > 0 ? [say(NIGHT_TEXT.consulted({ documents: found.join(', ') }))] : []),
    ...decisions
      .slice(0, MOST_DECISIONS)
      .map(({ what, person, count: n }) =>
        say(NIGHT_TEXT.decision({ what: decisionName(what, say), person, count: n })),
      ),
  ];
  return listOf(lines, say(NIGHT_TEXT.nothingEarlier()));
}

function changeList({ changes, rules = [] }: NightReport, { say, time, language }: ReportWording): Markup {
  const words: readonly Message[] = [
    ...runChangeWords(changes),
    ...changes.pauses.map(({ service, cause, at, says }) =>
      NIGHT_TEXT.paused({ service, cause: haltWords(cause), at: time(at), says }),
    ),
  ];
  const ending = localize(rules, language).map(({ message, hint = '' }) => `${message}. ${hint}`);
  return listOf([...words.map(say), ...ending], say(NIGHT_TEXT.nothingChanged()));
}

function listOf(lines: readonly string[], none: string): Markup {
  if (lines.length === 0) return html`<p class="none">${none}</p>`;
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}
