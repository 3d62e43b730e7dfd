/**
 * A digest as a mail: subject, text and HTML without pictures, scripts or links other than to the console. Values of files are
 * escaped; the subject is one line of at most 78 characters. A pure function.
 */
import { format, type Language, type Message } from '../i18n/message.ts';
import { NOTICE_PAGE, NOTICE_SUBJECT } from '../i18n/messages/console/console-notices-messages.ts';
import type { ReportedTopic } from '../ledger/contract/notice-store.ts';
import { html, type Markup } from '../pages/markup.ts';
import { dayText, isoDayIn, localTime } from '../text/local-time.ts';
import { escapeControls } from '../text/printable.ts';
import type { DigestLine } from './digest.ts';
import type { NoticeDetails, NoticeReader, NoticeTopic } from './notice-topic.ts';

/** What a channel reports, with the facts around it. */
export type NoticeContent = {
  readonly lines: readonly DigestLine<NoticeTopic>[];
  readonly others: readonly NoticeTopic[];
  readonly over: readonly ReportedTopic[];
  /** How the run ended. */
  readonly result?: Message;
  /** The verdict of the report of the run: then it is the headline. */
  readonly verdict?: Message;
  readonly run?: string;
};

/** Who sends it, and to whom. */
export type NoticeSetting = NoticeReader & {
  readonly details: NoticeDetails;
  readonly company?: string;
  readonly host: string;
  readonly environment: string;
  readonly at: string;
  /** Address of the console, if people reach it. */
  readonly console?: string;
};

/** As a mail program takes it. */
export type MailTexts = { readonly subject: string; readonly text: string; readonly html: string };

/** Characters of a subject, so that no header line is folded (RFC 5322, 2.1.1). */
const LONGEST_SUBJECT = 78;
const LONGEST_COMPANY = 24;

export function composeMail(content: NoticeContent, setting: NoticeSetting): MailTexts {
  const say = (message: Message) => format(message, setting.language);
  const headline = headlineOf(content, say, setting);
  const parts = partsOf(content, setting, say);
  const footer = [
    say(
      NOTICE_PAGE.footer({ host: setting.host, environment: setting.environment, at: localTime(setting.at, setting) }),
    ),
    say(NOTICE_PAGE.repeated()),
  ];
  return {
    subject: subjectOf(setting.company, headline, setting.language),
    text: textOf(headline, parts, { setting, say, footer }),
    html: pageOf(headline, parts, { setting, say, footer }),
  };
}

/** The sample of `notify --test`. */
export function composeSampleMail(channel: string, setting: NoticeSetting): MailTexts {
  const say = (message: Message) => format(message, setting.language);
  const headline = say(NOTICE_SUBJECT.test());
  const parts: Parts = { sections: [], notes: [say(NOTICE_PAGE.test({ channel }))] };
  const place = { host: setting.host, environment: setting.environment, at: localTime(setting.at, setting) };
  const around = { setting, say, footer: [say(NOTICE_PAGE.footer(place)), say(NOTICE_PAGE.repeated())] };
  return {
    subject: subjectOf(setting.company, headline, setting.language),
    text: textOf(headline, parts, around),
    html: pageOf(headline, parts, around),
  };
}

type Say = (message: Message) => string;
type Line = { readonly text: string; readonly more: readonly string[] };
type Parts = {
  readonly sections: readonly {
    readonly title: string;
    readonly tone: 'bad' | 'dim' | 'good';
    readonly lines: readonly Line[];
  }[];
  readonly notes: readonly string[];
};
type Around = { readonly setting: NoticeSetting; readonly say: Say; readonly footer: readonly string[] };

/** "Example: 45 documents need you, 1 export missing": a longer one is cut. Line ends and controls are shown, never sent. */
export function subjectOf(company: string | undefined, headline: string, language: Language): string {
  const name = cut(oneLine(company ?? ''), LONGEST_COMPANY) || 'Nightpost';
  return cut(format(NOTICE_SUBJECT.of({ company: name, headline: oneLine(headline) }), language), LONGEST_SUBJECT);
}

function oneLine(text: string): string {
  // A no-break space of French stays.
  return escapeControls(text.replace(/[^\S\u00a0]+/g, ' ')).trim();
}

/** Never through the middle of a character that has two units. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** What there is now, the more severe first: lines that are due and others, because a subject counts all of it. */
export function headlineOf(
  { lines, others, over, verdict }: NoticeContent,
  say: Say,
  { zone, language }: NoticeReader,
): string {
  if (verdict) return say(verdict);
  const topics = [...lines.map(({ topic }) => topic), ...others];
  const of = (counts: NoticeTopic['counts']) => topics.filter((one) => one.counts === counts);
  const sum = (counts: NoticeTopic['counts']) => of(counts).reduce((all, { documents }) => all + documents, 0);
  const counted = (count: number, word: (values: { count: number }) => Message) => (count > 0 ? [word({ count })] : []);
  const [failure] = of('failed');
  const parts: Message[] = [
    ...(failure ? [NOTICE_SUBJECT.failed({ code: failure.code })] : []),
    ...(of('noSend').length > 0 ? [NOTICE_SUBJECT.noSend()] : []),
    ...of('absent').map(({ newestAt }) =>
      NOTICE_SUBJECT.absent({ since: dayText(isoDayIn(newestAt, zone) ?? newestAt, language) }),
    ),
    ...counted(of('paused').length, NOTICE_SUBJECT.paused),
    ...counted(of('exports').length, NOTICE_SUBJECT.exports),
    ...counted(sum('documents'), NOTICE_SUBJECT.documents),
    ...counted(of('files').length, NOTICE_SUBJECT.files),
    ...(lines.length === 0 ? counted(over.length, NOTICE_SUBJECT.recovered) : []),
  ];
  return parts.length === 0 ? say(NOTICE_SUBJECT.good()) : parts.map(say).join(', ');
}

function partsOf(
  { lines, others, over, result, verdict, run }: NoticeContent,
  setting: NoticeSetting,
  say: Say,
): Parts {
  const worded = ({ topic }: DigestLine<NoticeTopic>): Line => ({
    text: say(topic.words(setting.details, setting)),
    more: topic.more(setting.details, setting).map(say),
  });
  const fresh = lines.filter(({ why }) => why !== 'again').map(worded);
  const again = lines.filter(({ why }) => why === 'again').map((line) => ({ ...worded(line), more: [] }));
  const closed = over.map(({ words, firstAt }) => ({
    text: `${words} (${say(NOTICE_PAGE.since({ since: localTime(firstAt, setting) }))})`,
    more: [],
  }));
  const isEmpty = lines.length + others.length + over.length === 0;
  return {
    sections: [
      { title: say(NOTICE_PAGE.new()), tone: 'bad' as const, lines: fresh },
      { title: say(NOTICE_PAGE.again()), tone: 'dim' as const, lines: again },
      { title: say(NOTICE_PAGE.over()), tone: 'good' as const, lines: closed },
    ].filter((section) => section.lines.length > 0),
    notes: [
      ...(isEmpty && !verdict ? [say(NOTICE_PAGE.nothing())] : []),
      ...(others.length > 0 ? [say(NOTICE_PAGE.others({ count: others.length }))] : []),
      ...(run !== undefined && result && !verdict ? [say(NOTICE_PAGE.result({ run, result }))] : []),
    ],
  };
}

function textOf(headline: string, { sections, notes }: Parts, { setting, say, footer }: Around): string {
  const blocks = sections.map(({ title, lines }) =>
    [
      title,
      ...lines.flatMap(({ text, more }) => [`- ${oneLine(text)}`, ...more.map((one) => `  ${oneLine(one)}`)]),
    ].join('\n'),
  );
  const way =
    setting.console === undefined ? say(NOTICE_PAGE.command()) : `${say(NOTICE_PAGE.open())}\n${setting.console}`;
  return `${[oneLine(headline), ...blocks, ...notes.map(oneLine), way, `-- \n${footer.join('\n')}`].join('\n\n')}\n`;
}

/** Styles are on the elements too, because many mail programs drop those of the head. */
function pageOf(headline: string, { sections, notes }: Parts, { setting, say, footer }: Around): string {
  const body = html`<div class="page" style="max-width:640px;margin:0 auto;padding:24px 16px;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<p class="dim" style="margin:0 0 4px;color:#5c6675">${setting.company ?? 'Nightpost'}</p>
<h1 style="margin:0 0 20px;font-size:21px;line-height:1.3">${headline}</h1>
${sections.map((section) => sectionOf(section))}
${notes.map((note) => html`<p style="margin:0 0 12px">${note}</p>`)}
<p style="margin:20px 0">${wayOut(setting, say)}</p>
<p class="dim foot" style="margin:28px 0 0;padding-top:12px;border-top:1px solid #d9dee6;color:#5c6675;font-size:13px">${footer.join(' ')}</p>
</div>`;
  return `<!doctype html>
<html lang="${setting.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${html`<title>${headline}</title>`}
<style>${STYLE}</style>
</head>
<body style="margin:0">
${body}
</body>
</html>
`;
}

const TONES = { bad: '#a3231f', dim: '#5c6675', good: '#0b6b3a' } as const;

function sectionOf({ title, tone, lines }: Parts['sections'][number]): Markup {
  const items = lines.map(
    ({ text, more }) =>
      html`<li style="margin:0 0 8px">${text}${more.map(
        (one) => html`<br><span class="dim" style="color:#5c6675;font-size:14px">${one}</span>`,
      )}</li>`,
  );
  return html`<h2 class="${tone}" style="margin:0 0 8px;font-size:15px;color:${TONES[tone]}">${title}</h2>
<ul style="margin:0 0 20px;padding:0 0 0 20px;overflow-wrap:anywhere">${items}</ul>`;
}

function wayOut(setting: NoticeSetting, say: Say): Markup {
  if (setting.console === undefined) return html`${say(NOTICE_PAGE.command())}`;
  return html`<a class="button" style="display:inline-block;padding:9px 16px;border-radius:6px;background:#1f4e8c;color:#ffffff;text-decoration:none;font-weight:600" href="${setting.console}">${say(NOTICE_PAGE.open())}</a>`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { background: #ffffff; color: #1d2430; }
@media (prefers-color-scheme: dark) {
  body { background: #14181e; color: #e6e9ee; }
  .dim, .foot { color: #9aa5b4 !important; }
  .foot { border-color: #343c48 !important; }
  .bad { color: #f08a80 !important; }
  .good { color: #62c48f !important; }
  .button { background: #8bb8f0 !important; color: #10151c !important; }
}`;

/** The words of a topic as the line that closes it later repeats them: never with customers. */
export function wordsToKeep(topic: NoticeTopic, details: NoticeDetails, reader: NoticeReader): string {
  return format(topic.words(details === 'full' ? 'ids' : details, reader), reader.language);
}
