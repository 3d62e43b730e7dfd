/** The page of a dossier: one document from the rows of the export to the response, with the proof. Data in, HTML out. */

import { decimalText, format, type Message } from '../i18n/message.ts';
import { DOSSIER, DOSSIER_COLUMN, DOSSIER_LABEL, DOSSIER_PART } from '../i18n/messages/receipts-messages.ts';
import { headText, linkHash } from '../model/chain-link.ts';
import { localize, showFaultIn } from '../model/fault.ts';
import { documentName, type HistoryLine } from '../model/ledger-entry.ts';
import { PROGRAM_VERSION } from '../model/program.ts';
import { recordedWords } from '../model/recorded-words.ts';
import { STATES, type State, stateInfo } from '../model/state.ts';
import { indentJson } from '../text/indent-json.ts';
import { dayText, type Locale, localTime } from '../text/local-time.ts';
import type { Dossier, MissingPart } from '../views/queries/dossier.ts';
import { withApprover } from '../views/wording/approval-words.ts';
import { payloadPath } from './dossier-parts.ts';
import { htmlPage } from './html-page.ts';
import { html, type Markup, markup } from './markup.ts';

/** The most characters of one text that the page shows; the archive has all of it. */
const MOST_SHOWN = 20_000;
/** The most rows of the export that the page shows, and how many side by side. */
const MOST_ROWS = 60;
const ROWS_ABREAST = 3;

export function dossierPage(
  dossier: Dossier,
  { locale, madeAt }: { readonly locale: Locale; readonly madeAt: string },
): string {
  const { language } = locale;
  const to: Wording = {
    say: (message) => format(message, language),
    time: (at) => html`<time datetime="${at}">${localTime(at, locale)}</time>`,
    locale,
  };
  const { entry } = dossier;
  const document = documentName(entry);
  const title = to.say(DOSSIER.title({ document }));
  const made = to.say(DOSSIER.made({ at: localTime(madeAt, locale), version: PROGRAM_VERSION }));
  const body = html`<header>
<p>${to.say(DOSSIER.kind())}</p>
<h1>${document}</h1>
<p class="state">${to.say(stateInfo(entry.state).words)}</p>
</header>
<main>
${verdict(dossier, to)}
${missingSection(dossier.missing, to)}
${section(to.say(DOSSIER.outcome()), outcome(dossier, to))}
${section(to.say(DOSSIER.source()), sourceRows(dossier, to))}
${section(to.say(DOSSIER.mapping()), mapping(dossier, to))}
${faultSection(dossier, to)}
${section(to.say(DOSSIER.content()), content(dossier, to))}
${section(to.say(DOSSIER.requests()), requests(dossier, to))}
${section(to.say(DOSSIER.decisions()), decisions(dossier, to))}
${section(to.say(DOSSIER.history()), history(dossier, to))}
${section(to.say(DOSSIER.proof()), proof(dossier, to))}
</main>
<footer>${made}</footer>`;
  return htmlPage({ language, title, body });
}

type Wording = {
  readonly say: (message: Message) => string;
  readonly time: (at: string) => Markup;
  readonly locale: Locale;
};

function section(title: string, body: Markup): Markup {
  return html`<section><h2>${title}</h2>
${body}</section>
`;
}

function verdict({ proof: { found, breaks } }: Dossier, { say }: Wording): Markup {
  if (breaks === 0) {
    return html`<div class="verdict"><b>${say(DOSSIER.verified())}</b> ${say(DOSSIER.verifiedText())}</div>`;
  }
  const lines = found.map(({ code, message }) => html`<li>${say(message)} <code>${code}</code></li>`);
  return html`<div class="verdict bad"><b>${say(DOSSIER.notVerified({ count: breaks }))}</b><ul>${lines}</ul></div>`;
}

function missingSection(missing: readonly MissingPart[], to: Wording): Markup {
  if (missing.length === 0) return html``;
  const lines = missing.map((one) => html`<li>${to.say(missingText(one, to))}</li>`);
  return section(to.say(DOSSIER.missing()), html`<ul>${lines}</ul>`);
}

function missingText(
  { part, why, revision, since = '', by = '', reason = '' }: MissingPart,
  { locale }: Wording,
): Message {
  const named = revision === undefined ? DOSSIER_PART[part]() : DOSSIER.earlierContent({ revision });
  if (why === 'purged') return DOSSIER.purgedPart({ part: named, at: localTime(since, locale), by, reason });
  return why === 'missing' ? DOSSIER.missingPart({ part: named }) : DOSSIER.damagedPart({ part: named });
}

type Field = readonly [label: keyof typeof DOSSIER_LABEL, value: string | number | Markup | undefined];

function fields(list: readonly Field[], { say }: Wording): Markup {
  const lines = list
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([label, value]) => html`<dt>${say(DOSSIER_LABEL[label]())}</dt><dd>${value}</dd>
`,
    );
  return html`<dl>${lines}</dl>`;
}

function outcome({ entry }: Dossier, to: Wording): Markup {
  const { facts, answer, revision } = entry;
  const amount = facts.amount && `${to.say(decimalText(facts.amount))} ${facts.currency ?? ''}`;
  const said =
    answer && [...new Set([answer.code, answer.name, answer.message])].filter((one) => one !== undefined).join(' ');
  const list: readonly Field[] = [
    ['document', facts.identifier],
    ['class', entry.class],
    [
      'state',
      html`${to.say(stateInfo(entry.state).name)} <span class="dim">(${entry.state}, ${to.time(entry.since)})</span>`,
    ],
    ['issuer', facts.issuer],
    ['counterparty', facts.counterparty],
    ['date', facts.date && dayText(facts.date, to.locale.language)],
    ['amount', amount],
    ['service', entry.service],
    ['answer', said],
    ['tracking', answer?.trackingId],
    ['id', html`<code>${entry.id}</code>`],
    ['revision', revision],
  ];
  return fields(list, to);
}

function sourceRows({ source, entry, rows }: Dossier, to: Wording): Markup {
  const list: readonly Field[] = [
    ['file', source.name],
    ['sha256', html`<code>${source.sha256}</code>`],
    ['claimed', to.time(source.claimedAt)],
    ['rows', entry.rows.join(', ')],
  ];
  const tables: Markup[] = [];
  for (let from = 0; from < Math.min(rows.length, MOST_ROWS); from += ROWS_ABREAST) {
    tables.push(cellsOf(rows.slice(from, from + ROWS_ABREAST), to));
  }
  const cut = rows.length > MOST_ROWS ? note(to.say(DOSSIER.cut({ path: 'source/rows.csv' }))) : html``;
  return html`${fields(list, to)}${tables}${cut}`;
}

/** A line for each column of the export, because an export has more columns than paper; empty ones are left out. */
function cellsOf(rows: Dossier['rows'], { say }: Wording): Markup {
  const columns = rows[0]?.columns ?? [];
  const lines = columns
    .map((column, at) => [column, ...rows.map(({ cells }) => cells[at] ?? '')])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  return table(['', ...rows.map(({ row }) => `${say(DOSSIER_COLUMN.row())} ${row}`)], lines);
}

function mapping({ source, entry }: Dossier, to: Wording): Markup {
  const stamp = entry.file.mapping ?? source.mapping;
  if (!stamp) return note(to.say(DOSSIER.none()));
  const list: readonly Field[] = [
    ['name', stamp.id],
    ['version', stamp.version],
    ['mapping', stamp.file],
    ['sha256', html`<code>${stamp.sha256}</code>`],
    ['program', stamp.program],
  ];
  return fields(list, to);
}

function faultSection({ entry: { faults } }: Dossier, to: Wording): Markup {
  if (faults.length === 0) return html``;
  const { language } = to.locale;
  const lines = localize(faults, language).map((fault) => html`<li>${showFaultIn(fault, language)}</li>`);
  return section(to.say(DOSSIER.faults()), html`<ul>${lines}</ul>`);
}

/** The present content, then that of each earlier revision. */
function content({ revisions }: Dossier, to: Wording): Markup {
  const made = revisions.filter(({ contentSha256 }) => contentSha256 !== undefined).toReversed();
  if (made.length === 0) return note(to.say(DOSSIER.none()));
  const blocks = made.map(({ revision, readAt, contentSha256, content: text }) => {
    const list: readonly Field[] = [
      ['revision', revisions.length > 1 ? revision : undefined],
      ['claimed', revisions.length > 1 ? to.time(readAt) : undefined],
      ['digest', html`<code>${contentSha256}</code>`],
    ];
    const path = payloadPath(revisions, { revision });
    return html`${fields(list, to)}${text === undefined ? note(to.say(DOSSIER.none())) : preformatted(text, path, to)}`;
  });
  return html`${blocks}`;
}

function requests({ attempts }: Dossier, to: Wording): Markup {
  if (attempts.length === 0) return note(to.say(DOSSIER.none()));
  const columns = ['act', 'time', 'http', 'code', 'result', 'reason'] as const;
  const rows = attempts.map(({ act, n, at, http, code, outcome: end, reason, ...attempt }) => [
    `${act} ${n}`,
    to.time(at),
    http === undefined ? '' : String(http),
    code === undefined ? '' : String(code),
    end === undefined ? to.say(DOSSIER.underWay()) : to.say(stateInfo(end).name),
    reason === undefined ? '' : recordedWords(reason, attempt, to.locale.language),
  ]);
  const bodies = attempts.flatMap(({ act, n, exchange }) => {
    const text = exchange && 'body' in exchange ? exchange.body : undefined;
    if (text === undefined || text === '') return [];
    return [html`<p class="dim">${act} ${n}</p>${preformatted(text, `responses/${act}-${n}.json`, to)}`];
  });
  return html`${table(
    columns.map((column) => to.say(DOSSIER_COLUMN[column]())),
    rows,
  )}${bodies}`;
}

function decisions({ entry: { evidence, hold }, corrections }: Dossier, to: Wording): Markup {
  const said = evidence && `${to.say(stateInfo(evidence.as).name)}: ${evidence.by}, ${evidence.reason}`;
  const decision = said && withApprover(said, evidence, to.say);
  const list = fields(
    [
      [
        'evidence',
        decision === undefined
          ? undefined
          : html`${decision} <span class="dim">(${to.time(evidence?.at ?? '')})</span>`,
      ],
      ['state', hold && `${hold.rule}: ${recordedWords(hold.says, hold, to.locale.language)}`],
    ],
    to,
  );
  if (corrections.length === 0) return evidence || hold ? list : note(to.say(DOSSIER.none()));
  const columns = ['cell', 'former', 'value', 'person', 'time', 'reason'] as const;
  const rows = corrections.map(({ row, column, from, to: now, by, at, reason }) => [
    `${row} ${column}`,
    from,
    now,
    by,
    to.time(at),
    reason,
  ]);
  return html`${list}${table(
    columns.map((column) => to.say(DOSSIER_COLUMN[column]())),
    rows,
  )}`;
}

function history({ history: lines }: Dossier, to: Wording): Markup {
  if (lines.length === 0) return note(to.say(DOSSIER.none()));
  const columns = ['time', 'what', 'person', 'reason'] as const;
  const rows = lines.map((line) => [to.time(line.at), eventWord(line.what, to), line.person ?? '', reasonOf(line, to)]);
  return table(
    columns.map((column) => to.say(DOSSIER_COLUMN[column]())),
    rows,
  );
}

/** A state in words; other events have only their name. */
function eventWord(what: string, { say }: Wording): string {
  return what in STATES ? say(STATES[what as State].name) : what;
}

function reasonOf(line: HistoryLine, { locale }: Wording): string {
  const { reason } = (line.detail ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' ? recordedWords(reason, line, locale.language) : '';
}

function proof({ links, proof: proven, receiptFile }: Dossier, to: Wording): Markup {
  const list = fields(
    [
      ['receipt', receiptFile?.path],
      ['links', proven.links],
      ['events', proven.events],
      ['head', proven.head && html`<code>${headText(proven.head)}</code>`],
    ],
    to,
  );
  const columns = ['link', 'state', 'time', 'hash'] as const;
  const rows = links.map((link) => [
    String(link.n),
    link.state,
    to.time(link.at),
    html`<code>${linkHash(link)}</code>`,
  ]);
  return html`${list}${
    links.length > 0
      ? table(
          columns.map((column) => to.say(DOSSIER_COLUMN[column]())),
          rows,
        )
      : html``
  }`;
}

function table(head: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  const titles = head.map((title) => html`<th scope="col">${title}</th>`);
  const lines = rows.map(
    (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  );
  return html`<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>
${lines}</tbody></table></div>`;
}

/** JSON is indented, any other text is as it is. */
function preformatted(text: string, path: string, { say }: Wording): Markup {
  const whole = indentJson(text, 2 * MOST_SHOWN);
  const cut = text.length > MOST_SHOWN ? note(say(DOSSIER.cut({ path }))) : html``;
  return html`<pre>${markup`${whole.slice(0, MOST_SHOWN)}`}</pre>${cut}`;
}

function note(text: string): Markup {
  return html`<p class="none">${text}</p>`;
}
