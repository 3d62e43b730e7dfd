/**
 * `purge`: removes data older than the setting `keep`, or the data of one counterparty. Identities and hashes stay for
 * ever. Output: what was or would be removed. A signal ends it with the exit code of that signal.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { openPeople } from '../../console/people/people.ts';
import { format, type Message, type MessageMaker } from '../../i18n/message.ts';
import { PURGE, PURGE_COUNT } from '../../i18n/messages/cli-maintenance-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { localeOf } from '../../instance/locale.ts';
import { ago } from '../../instance/retention-age.ts';
import type { NoticeStore } from '../../ledger/contract/notice-store.ts';
import { type PurgePlan, planPurge, purge } from '../../maintenance/purge-instance.ts';
import { isNamedIn } from '../../maintenance/purge-reports.ts';
import { OperatorError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { lookIntoLedgerOf, openLedgerOf } from '../../runs/open-run.ts';
import { isoDayIn } from '../../text/local-time.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session, stopOnSignals } from '../session/command-session.ts';
import { withLiveLine } from '../session/live-work.ts';
import { afterOtherActs, type DecisionOptions, decisionOf } from '../session/operator-decision.ts';

type Options = Partial<DecisionOptions> & { readonly subject?: string };

const SHOWN = 10;

export const purgeCommand: CommandModule = { run: purgeData };

/**
 * Shows the same plan that it carries out; --dry-run ends after the plan. Throws `purge/no-subject` for a blank
 * subject, and `purge/named-in-reason`: the reason is kept for good.
 */
async function purgeData(given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  if (given.subject?.trim() === '') {
    throw new OperatorError('purge/no-subject', PURGE.noSubject(), { hint: PURGE.nameIt() });
  }
  const decision = given.dryRun ? undefined : decisionOf(given);
  if (decision && given.subject !== undefined && isNamedIn(decision.reason, given.subject)) {
    throw new OperatorError('purge/named-in-reason', PURGE.namedInReason(), { hint: PURGE.nameTheRequest() });
  }
  // A look keeps no run from its work.
  await using ledger = decision
    ? await afterOtherActs(session, (onWait) => openLedgerOf(session.instance, 'upkeep', { onWait }))
    : await lookIntoLedgerOf(session.instance);
  const { instance, terminal } = session;
  const { language } = instance.settings.rules;
  using stopping = stopOnSignals(terminal, language, PURGE.ending());
  const context = { instance, ledger, stop: stopping.signal };
  const { plan, end, notices } = await withLiveLine(session, LIVE.removing(), async () => {
    const planned = await planPurge(context, new Date(), given.subject);
    if (planned === 'stopped') return { plan: planned, end: undefined, notices: 0 };
    // First: the purge of documents ends with the ledger being rebuilt without what is gone.
    const texts = { plan: planned, given, dryRun: decision === undefined };
    const removed = await purgeNoticeTexts(instance, ledger.notices, texts);
    return { plan: planned, end: decision && (await purge(context, planned, decision)), notices: removed };
  });
  const isOver = plan !== 'stopped' && !end?.stopped;
  const signIns = isOver ? purgeSignIns(instance, plan, decision === undefined) : NO_SIGN_INS;
  if (isOver) return show(session, { ...plan, ...signIns, notices }, given.dryRun === true, given.subject);
  process.exitCode = must(stopping.exitCode(), 'the signal that stopped it');
  const documents = end?.documents ?? 0;
  const planned = plan === 'stopped' ? null : plan.documents.length;
  if (session.options.json) terminal.out(JSON.stringify({ stopped: true, documents, planned }, null, 2));
  else terminal.out(`  ${format(PURGE.stopped({ documents }), language)}`);
}

/** Counts of what goes; none without a console. */
type SignIns = { readonly signIns: number; readonly sessions: number };

const NO_SIGN_INS: SignIns = { signIns: 0, sessions: 0 };

/**
 * Lines of the history of sign-ins that are as old as logs that go, and sessions of people that are older than
 * `keep.sessions`. Everything of one counterparty is no question of age.
 */
function purgeSignIns({ folder, settings }: Instance, { before, ofSubject }: PurgePlan, dryRun: boolean): SignIns {
  if (ofSubject || !existsSync(join(folder, 'state', 'people.sqlite'))) return NO_SIGN_INS;
  using people = openPeople(folder);
  const logsMs = Date.parse(before.logs ?? '');
  const sessionsMs = ago(settings.keep.sessions, new Date());
  const isAged = !Number.isNaN(logsMs);
  const counts = { signIns: isAged ? people.countEvents(logsMs) : 0, sessions: people.countSessions(sessionsMs) };
  if (!dryRun && isAged) people.forgetEvents(logsMs);
  if (!dryRun) people.forgetSessions(sessionsMs);
  return counts;
}

type PurgedNotices = { readonly plan: PurgePlan; readonly given: Options; readonly dryRun: boolean };

/** Texts of notices: those older than `keep.notices`, or those with a name of the counterparty. Returns how many. */
async function purgeNoticeTexts(
  { settings }: Instance,
  ledger: Pick<NoticeStore, 'purgeNotices'>,
  { plan, given, dryRun }: PurgedNotices,
): Promise<number> {
  const now = new Date();
  if (given.subject === undefined) {
    const { notices } = settings.keep;
    return notices === undefined ? 0 : await ledger.purgeNotices(new Date(ago(notices, now)).toISOString(), { dryRun });
  }
  const names = [given.subject, ...plan.documents.map(({ entry }) => entry.facts.counterparty ?? '')].filter(
    (name) => name.trim() !== '',
  );
  const isMeant = (content: string) => {
    const text = unescaped(content);
    return names.some((name) => isNamedIn(text, name));
  };
  return await ledger.purgeNotices(now.toISOString(), { isMeant, dryRun });
}

/** A body of a webhook is JSON within JSON: the letter of an escape is no part of a word. */
function unescaped(content: string): string {
  return content.replaceAll(/\\+(?:u([0-9a-fA-F]{4})|[bfnrt])/g, (_, code?: string) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Counts per part with its age limit, and the first names of each. */
function show(
  { options, terminal, instance }: Session,
  plan: PurgePlan & SignIns & { readonly notices: number },
  dryRun: boolean,
  subject: string | undefined,
): void {
  const { before, documents, waiting, signIns, sessions, notices } = plan;
  const exports = plan.exports.map(({ path }) => relative(instance.folder, path));
  const attachments = [...new Set(plan.exports.flatMap((one) => one.attachments))].map((path) =>
    relative(instance.folder, path),
  );
  const summaries = plan.summaries.map(({ paths: [path = ''] }) => relative(instance.folder, path));
  const answers = plan.answers.map(({ path }) => path);
  const logs = plan.logs.map((path) => relative(instance.folder, path));
  if (options.json) {
    const each = documents.map(({ entry, parts }) => ({ id: entry.id, number: entry.facts.identifier, parts }));
    terminal.out(
      JSON.stringify(
        {
          dryRun,
          before,
          documents: each,
          summaries,
          exports,
          attachments,
          kept: plan.kept.map(({ path, why }) => ({ path: relative(instance.folder, path), why })),
          copies: plan.former,
          answers,
          reports: plan.reports,
          logs,
          signIns,
          sessions,
          notices,
          waiting,
        },
        null,
        2,
      ),
    );
    return;
  }
  const { zone, language } = localeOf(instance.settings);
  const say = (phrase: Message) => format(phrase, language);
  const parts = (part: 'receipts' | 'content') => documents.filter((one) => one.parts.includes(part)).length;
  const aged = (what: Message, part: keyof PurgePlan['before']) => {
    if (subject !== undefined) return `  ${say(what)}`;
    const at = before[part];
    const day = at === undefined ? undefined : isoDayIn(at, zone);
    const age = day === undefined ? PURGE.forEver({ part }) : PURGE.olderThan({ day });
    return `  ${say(PURGE.aged({ what, age }))}`;
  };
  terminal.out(`  ${say(dryRun ? PURGE.wouldRemove() : PURGE.removed())}`);
  terminal.out(aged(PURGE_COUNT.receipts({ count: parts('receipts') }), 'receipts'));
  terminal.out(aged(PURGE_COUNT.contents({ count: parts('content') }), 'content'));
  for (const { entry } of documents.slice(0, SHOWN)) {
    terminal.out(`    ${escapeControls([entry.facts.identifier, entry.facts.counterparty ?? ''].join('  '))}`);
  }
  const more = documents.length - SHOWN;
  if (more > 0) terminal.out(`    ${say(PURGE.andMore({ count: more }))}`);
  const withAttachments = PURGE.withAttachments({
    exports: PURGE_COUNT.exports({ count: exports.length }),
    attachments: PURGE_COUNT.attachments({ count: attachments.length }),
  });
  terminal.out(aged(PURGE_COUNT.summaries({ count: summaries.length }), 'receipts'));
  terminal.out(aged(withAttachments, 'archive'));
  terminal.out(aged(PURGE_COUNT.reports({ count: plan.reports.length }), 'reports'));
  if (answers.length > 0) terminal.out(aged(PURGE_COUNT.answers({ count: answers.length }), 'answers'));
  if (answers.length > 0 && subject !== undefined) terminal.out(`    ${say(PURGE.answersAgain())}`);
  terminal.out(aged(PURGE_COUNT.logs({ count: logs.length }), 'logs'));
  if (signIns > 0) terminal.out(aged(PURGE_COUNT.signIns({ count: signIns }), 'logs'));
  if (sessions > 0) terminal.out(`  ${say(PURGE_COUNT.sessions({ count: sessions }))}`);
  if (notices > 0) terminal.out(`  ${say(PURGE_COUNT.notices({ count: notices }))}`);
  for (const path of [...summaries, ...exports, ...attachments, ...plan.reports, ...answers, ...logs].slice(0, SHOWN))
    terminal.out(`    ${escapeControls(path)}`);
  if (waiting > 0) terminal.out(`  ${say(PURGE_COUNT.waiting({ count: waiting }))}`);
  for (const line of keptLines(plan, instance)) terminal.out(line);
}

/** Exports of a counterparty that stay, by the reason for it, and copies of the ledger. */
function keptLines({ kept: all, former }: PurgePlan, { folder, settings }: Instance): readonly string[] {
  const reasons = [
    ['others', PURGE_COUNT.keptOthers],
    ['waiting', PURGE_COUNT.keptWaiting],
    ['unattributed', PURGE_COUNT.keptUnattributed],
  ] as const;
  const lines = (words: MessageMaker<'count'>, paths: readonly string[]) => {
    const head = `  ${format(words({ count: paths.length }), settings.rules.language)}`;
    return paths.length > 0 ? [head, ...paths.slice(0, SHOWN).map((path) => `    ${escapeControls(path)}`)] : [];
  };
  const exports = reasons.flatMap(([why, words]) =>
    lines(
      words,
      all.filter((one) => one.why === why).map(({ path }) => relative(folder, path)),
    ),
  );
  return [...exports, ...lines(PURGE_COUNT.copies, former)];
}
