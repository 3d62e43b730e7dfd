/**
 * The state of the instance: what keeps it from sending, who is at work, services, disk, backups, and the checks of `doctor` on
 * request. The page itself asks no service.
 */

import { lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import { newestBackup } from '../../../doctor/doctor-folders.ts';
import { localizeCheck } from '../../../doctor/run-doctor.ts';
import { STATUS } from '../../../i18n/messages/cli-views-messages.ts';
import { HEALTH_DOCTOR, HEALTH_PAGE } from '../../../i18n/messages/console/console-health-messages.ts';
import { NOTICE_STATUS } from '../../../i18n/messages/console/console-notices-messages.ts';
import { DOCTOR_CHECK } from '../../../i18n/messages/doctor-messages.ts';
import { QUARANTINE_CAUSE } from '../../../i18n/messages/ledger-messages.ts';
import { PROGRAM_VERSION } from '../../../model/program.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { dictionary } from '../../../text/dictionary.ts';
import { localTime } from '../../../text/local-time.ts';
import { type InstanceHealth, readHealth } from '../../../views/queries/instance-health.ts';
import type { InstanceStatus } from '../../../views/queries/instance-status.ts';
import { type LastAnswer, lastAnswers } from '../../../views/queries/last-answers.ts';
import { gib, groupDigits } from '../../../views/wording/amount-texts.ts';
import { mappingsWrong } from '../../../views/wording/mapping-words.ts';
import { runOutcome } from '../../../views/wording/run-lines.ts';
import { roleHas } from '../../people/person.ts';
import { type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { actForm, terminalLine } from '../../shell/forms.ts';
import { card, definitionList, type NoticeOptions, notice, pageHeading } from '../../shell/parts.ts';
import { pill } from '../../shell/tones.ts';
import { composePage, readVerdict, TONE_OF_VERDICT } from '../compose-page.ts';
import { newFormId } from '../files/file-parts.ts';
import { requiredField, submitForm } from '../submit-form.ts';
import { lastDoctorReport, runDoctor } from './doctor-reports.ts';
import { workersCard } from './workers-card.ts';

export const healthScreen: Screen = async (context) => {
  const { say, instance } = context;
  const { status, verdict } = await readVerdict(context);
  const health = await readHealth(instance);
  const tone = TONE_OF_VERDICT[verdict.weight];
  const done = doneHere(context);
  const content = markup`${pageHeading({ title: say(HEALTH_PAGE.title()), about: say(HEALTH_PAGE.about()) })}
${notice({ tone, text: say(verdict.sentence) })}${haltNotices(context, status)}
<div class="stack">${await servicesCard(context, status, await answersOf(context))}${await workersCard(context)}
<div class="columns"><div class="stack">${doctorCard(context)}</div>
<div class="stack">${workCard(context, status, health)}${machineCard(context, status, health)}</div></div></div>`;
  return await composePage(context, {
    place: 'health',
    title: say(HEALTH_PAGE.title()),
    content,
    ...(done && { done }),
  });
};

/** Runs the checks, which ask each service for a token; the page shows them. */
export const doctorScreen: Screen = async (context) => {
  const { instance, person } = context;
  context.record('doctor-run');
  const ended = await runDoctor(instance, person.name);
  return seeOther(context, `/health?done=${ended ? 'checked' : 'checking'}`);
};

export const resumeScreen: Screen = async (context) => {
  const service = requiredField(context, 'service');
  const answer = await submitForm(context, { act: 'resume', service });
  return seeOther(context, `/health?done=${'waits' in answer ? 'accepted' : 'resumed'}`);
};

const DONE = dictionary<'checked' | 'checking' | 'resumed' | 'accepted'>({
  checked: 'checked',
  checking: 'checking',
  resumed: 'resumed',
  accepted: 'accepted',
});

function doneHere({ url, say }: ScreenContext): NoticeOptions | undefined {
  const done = url.searchParams.get('done') ?? '';
  const key = DONE.get(done);
  const waits = key === 'accepted' || key === 'checking';
  return key && { tone: waits ? 'wait' : 'ok', text: say(HEALTH_PAGE[key]()) };
}

/** Why nothing, or nothing new, is sent; the sentence of the verdict has the code alone. */
function haltNotices({ say, locale }: ScreenContext, status: InstanceStatus): readonly Markup[] {
  const { guard, quarantine, mappingFaults } = status;
  const texts: { readonly title?: string; readonly text: string }[] = [];
  if (!guard.send) texts.push({ title: guard.code, text: say(guard.reason) });
  if (quarantine) {
    const { why, at, by } = quarantine;
    texts.push({ text: say(STATUS.quarantine({ why: QUARANTINE_CAUSE[why](), at: localTime(at, locale), by })) });
  }
  if (mappingFaults.length > 0) texts.push({ text: say(mappingsWrong(mappingFaults)) });
  return texts.map((one) => notice({ tone: 'support', ...one }));
}

type ServiceStatus = InstanceStatus['services'][number];

async function answersOf({ instance, ledger, index }: ScreenContext): Promise<ReadonlyMap<string, LastAnswer>> {
  const services = instance.destinations.map(({ name }) => name);
  return await lastAnswers({ ledger, index: await index() }, services);
}

/** Time, HTTP status and code. */
function answerText({ say, locale }: ScreenContext, answer: LastAnswer | undefined): Markup | string {
  if (!answer) return say(HEALTH_PAGE.noAnswer());
  const { at, http, code } = answer;
  const facts = [`HTTP ${http}`, ...(code === undefined ? [] : [say(HEALTH_PAGE.code({ code: String(code) }))])];
  return markup`<span class="whole">${localTime(at, locale)}</span> <span class="dim">${facts.join(' · ')}</span>`;
}

/** Only a run has a token in hand: here is whether the service took the last one. */
function tokenText({ say }: ScreenContext, { pause }: ServiceStatus, answer: LastAnswer | undefined): Markup | string {
  if (pause?.cause === 'credentials') return pill({ tone: 'support', text: say(HEALTH_PAGE.tokenRefused()) });
  if (!answer) return say(HEALTH_PAGE.noAnswer());
  const isTaken = answer.http !== 401 && answer.http !== 403;
  return say(isTaken ? HEALTH_PAGE.tokenTaken() : HEALTH_PAGE.tokenNotTaken());
}

async function servicesCard(
  context: ScreenContext,
  { services }: InstanceStatus,
  answers: ReadonlyMap<string, LastAnswer>,
): Promise<Markup> {
  const { say, instance } = context;
  const limitsOf = ({ service }: ServiceStatus) => {
    const pacing = instance.destinations.find(({ name }) => name === service)?.pacing;
    if (!pacing) return '';
    const { concurrency, spacingMs } = pacing;
    const perMinute =
      spacingMs === 0 ? '' : say(HEALTH_PAGE.perMinute({ count: String(Math.floor(60_000 / spacingMs)) }));
    return [say(HEALTH_PAGE.atOnce({ count: concurrency })), perMinute].filter(Boolean).join(', ');
  };
  const table = dataTable<ServiceStatus>(
    {
      caption: say(HEALTH_PAGE.services()),
      rows: services,
      empty: say(HEALTH_PAGE.noServices()),
      columns: [
        { title: say(HEALTH_PAGE.service()), cell: ({ service }) => service, isName: true },
        { title: say(HEALTH_PAGE.state()), cell: (one) => serviceState(context, one) },
        { title: say(HEALTH_PAGE.address()), cell: ({ address }) => markup`<code>${address}</code>` },
        { title: say(HEALTH_PAGE.lastAnswer()), cell: ({ service }) => answerText(context, answers.get(service)) },
        {
          title: say(HEALTH_PAGE.token()),
          cell: (one) => tokenText(context, one, answers.get(one.service)),
          isWords: true,
        },
        { title: say(HEALTH_PAGE.limits()), cell: limitsOf },
        {
          title: say(HEALTH_PAGE.consultation()),
          cell: ({ consultation }) =>
            say(consultation === 'configured' ? HEALTH_PAGE.configured() : HEALTH_PAGE.notConfigured()),
        },
      ],
    },
    say,
  );
  const forms = await Promise.all(services.filter(needsPerson).map((one) => resumeForm(context, one)));
  return card({ id: 'services', title: say(HEALTH_PAGE.services()), body: markup`${table}${forms}` });
}

/** Answers that belonged to other documents: each try would be one more of unknown outcome. The next run tries other services itself. */
function needsPerson({ pause }: ServiceStatus): boolean {
  return pause?.cause === 'foreign-echo';
}

function serviceState({ say, locale }: ScreenContext, service: ServiceStatus): Markup {
  const { pause, answered } = service;
  if (pause) {
    const { cause, at, says } = pause;
    const state = needsPerson(service)
      ? pill({ tone: 'support', text: say(HEALTH_PAGE.paused()) })
      : pill({ tone: 'fix', text: say(HEALTH_PAGE.tries()) });
    return markup`${state}<p class="dim">${localTime(at, locale)} · ${cause}</p><p>${says}</p>`;
  }
  return answered
    ? pill({ tone: 'ok', text: say(HEALTH_PAGE.active()) })
    : pill({ tone: 'queue', text: say(HEALTH_PAGE.untried()) });
}

async function resumeForm(context: ScreenContext, { service }: ServiceStatus): Promise<Markup> {
  const { say, may, base, csrf, instance, person } = context;
  if (!may('act')) return markup``;
  return actForm(
    {
      id: `resume-${service}`,
      action: `${base}/health/resume`,
      csrf,
      hidden: { key: newFormId(), service },
      does: say(HEALTH_PAGE.resumeDoes({ service })),
      reasons: await lastReasons(instance, person.name),
      submit: say(HEALTH_PAGE.resume()),
      terminal: `nightpost resume ${service} --reason "..."`,
    },
    say,
  );
}

function workCard(
  { say, locale, base, leadsTo }: ScreenContext,
  { lastRun, notices }: InstanceStatus,
  health: InstanceHealth,
): Markup {
  const last = lastRun && `${localTime(lastRun.startedAt, locale)}, ${say(runOutcome(lastRun))}`;
  const href = lastRun && leadsTo('/runs') ? `${base}/runs/${encodeURIComponent(lastRun.id)}` : undefined;
  const shown = href === undefined ? (last ?? say(HEALTH_PAGE.noRun())) : markup`<a href="${href}">${last ?? ''}</a>`;
  const facts = definitionList([
    [say(HEALTH_PAGE.lock()), say(health.atWork ?? HEALTH_PAGE.free())],
    [say(HEALTH_PAGE.requests()), say(HEALTH_PAGE.requestCount({ count: health.requests }))],
    [say(HEALTH_PAGE.lastRun()), shown],
    [say(NOTICE_STATUS.title()), noticeText(notices, say, (at) => localTime(at, locale))],
  ]);
  return card({ id: 'work', title: say(HEALTH_PAGE.atWork()), body: markup`<div class="card-body">${facts}</div>` });
}

/** Notices by mail and webhook: how many wait, how many failed, and which channels are switched off. */
function noticeText(
  { waiting, failed, off }: InstanceStatus['notices'],
  say: ScreenContext['say'],
  time: (at: string) => string,
): string {
  const counted = failed > 0 ? NOTICE_STATUS.countedFailed({ waiting, failed }) : NOTICE_STATUS.counted({ waiting });
  const switched = off.map(({ channel, since }) => say(NOTICE_STATUS.offShort({ channel, since: time(since) })));
  return [say(counted), ...switched].join('; ');
}

function machineCard(context: ScreenContext, status: InstanceStatus, { disk }: InstanceHealth): Markup {
  const { say, locale, instance } = context;
  const digits = (bytes: number) => groupDigits(gib(bytes), locale.language);
  const backup = newestBackup(instance.folder);
  const { inbox, waiting, witnessFolder, head, environment } = status;
  const pairs = waiting.map(({ file, for: partner }) => say(HEALTH_PAGE.waits({ file, partner })));
  const facts = definitionList([
    [say(HEALTH_PAGE.environment()), environment],
    [say(HEALTH_PAGE.inbox()), [say(HEALTH_PAGE.inInbox({ count: inbox })), ...pairs].join('; ')],
    [say(HEALTH_PAGE.disk()), disk && say(HEALTH_PAGE.diskFree({ free: digits(disk.free), all: digits(disk.all) }))],
    [say(HEALTH_PAGE.backup()), backup ? localTime(backup, locale) : say(HEALTH_PAGE.noBackup())],
    [say(HEALTH_PAGE.witness()), witnessFolder ?? say(HEALTH_PAGE.noWitness())],
    [say(HEALTH_PAGE.clock()), `${localTime(new Date(), locale)} (${locale.zone})`],
    [say(HEALTH_PAGE.head()), head === null ? undefined : markup`<code>${head}</code>`],
    [say(HEALTH_PAGE.version()), `Nightpost ${PROGRAM_VERSION}, Node ${process.versions.node}`],
  ]);
  const terminal = terminalLine('nightpost status', say);
  return card({
    id: 'machine',
    title: say(HEALTH_PAGE.machine()),
    body: markup`<div class="card-body stack">${facts}${terminal}</div>`,
  });
}

const RESULT_TONE = { ok: 'ok', warning: 'fix', error: 'support' } as const;
const RESULT_ORDER = ['error', 'warning', 'ok'] as const;

function doctorCard({ say, locale, language, base, csrf, person, instance }: ScreenContext): Markup {
  const report = lastDoctorReport(instance.folder);
  const checks = RESULT_ORDER.flatMap((result) => (report?.checks ?? []).filter((one) => one.result === result));
  // The checks are no act: they are wanted most while the ledger may not send.
  const button = roleHas(person.role, 'act')
    ? markup`<form method="post" action="${base}/health/doctor"><input type="hidden" name="csrf" value="${csrf}"><button class="button" type="submit">${say(HEALTH_DOCTOR.run())}</button></form>`
    : undefined;
  const table =
    report &&
    dataTable(
      {
        caption: say(HEALTH_DOCTOR.title()),
        rows: checks.map((check) => localizeCheck(check, language)),
        empty: say(HEALTH_DOCTOR.none()),
        columns: [
          { title: say(HEALTH_DOCTOR.check()), cell: ({ what }) => what, isName: true },
          {
            title: say(HEALTH_DOCTOR.result()),
            cell: ({ result }) => pill({ tone: RESULT_TONE[result], text: say(DOCTOR_CHECK[result]()) }),
          },
          {
            title: say(HEALTH_DOCTOR.finding()),
            cell: ({ says, hint }) =>
              markup`${says}${hint === undefined ? undefined : markup`<p class="dim">${hint}</p>`}`,
          },
        ],
      },
      say,
    );
  const note = report
    ? HEALTH_DOCTOR.ran({ time: localTime(report.at, locale), by: report.by })
    : HEALTH_DOCTOR.notYet();
  return card({
    id: 'doctor',
    title: say(HEALTH_DOCTOR.title()),
    note: say(note),
    body: markup`<div class="card-body stack"><p>${say(HEALTH_DOCTOR.about())}</p>${button}${terminalLine('nightpost doctor', say)}</div>${table}`,
  });
}
