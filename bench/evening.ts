/**
 * What a night costs with everything that follows it: answers to the ERP, the morning report and a mail, against the same
 * night without. And how much memory answers take, where they are all that a process does.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { publishNightReport } from '../src/cli/output/publish-night-report.ts';
import { recordedRun } from '../src/cli/session/recorded-run.ts';
import { type Instance, makeFolders, readInstance, SETTINGS_FILE } from '../src/instance/instance.ts';
import { answerAgain } from '../src/pipeline/answers/answer-again.ts';
import { reportAnswers } from '../src/pipeline/answers/report-answers.ts';
import { ingestAll } from '../src/pipeline/intake/ingest-all.ts';
import { createLedgerOf, openLedgerOf, openWork } from '../src/pipeline/open-run.ts';
import { buildNightReport, totalsOf } from '../src/pipeline/reporting/night-report.ts';
import { run } from '../src/pipeline/run.ts';
import type { Description } from '../src/sandbox/describe.ts';
import { mappingText } from './converting.ts';
import { AT_A_TIME } from './deliver.ts';
import { exportFile } from './exports.ts';
import { newFolder } from './folders.ts';
import { type Measurement, timed } from './result.ts';

const ANSWERS = `
answers:
  - file: "RET_{file.stem}_{n:6}.csv"
    when: change
    format: { csv: { encoding: windows-1252, replace: "?" } }
    row:
      NUMFAC: $NumFac
      ETAT: { from: "@answer.state", table: letters }
      CODE: "@answer.code"
      IDPA: "@answer.tracking-id"
      DATE: = TEXT(@answer.at, "dd/MM/yyyy")
      TTC: $TotalTTC
      MESSAGE: = LEFT(@answer.message, 60)
`;
const LETTERS = 'tables:\n  letters: { authorized: A, default: R }';
const SAMPLE_MS = 20;

/** Every document authorized with its receipt; `whole`: and in an answer file, in a report, and a mail was accepted. */
export const evening =
  (whole: boolean): Measurement =>
  async ({ size, out }) => {
    const folder = newFolder(out);
    const service = fork(join(import.meta.dirname, 'sandbox-process.ts'), ['0']);
    const post = whole ? fork(join(import.meta.dirname, 'mail-process.ts')) : undefined;
    try {
      const [described] = (await once(service, 'message')) as [Description];
      const port = post ? ((await once(post, 'message')) as [number])[0] : undefined;
      const instance = await instanceIn(folder, described, whole, port);
      copyFileSync(exportFile('csv', size), join(instance.paths.inbox, 'FAC.csv'));
      let authorized = 0;
      let answered = 0;
      const cost = costByPhase();
      await using opened = await openLedgerOf(instance);
      // The first question of the answers, once all receipts are written.
      const pendingAnswerFiles = () => {
        cost.begin('answers');
        return opened.pendingAnswerFiles();
      };
      const ledger = { ...opened, pendingAnswerFiles };
      await using work = await openWork(instance, ledger, {
        stop: new AbortController().signal,
        onEvent: (happening) => {
          if (happening.what === 'document' && happening.state === 'authorized') authorized++;
          if (happening.what === 'answers-written') answered += happening.documents;
        },
      });
      const night = async () => {
        const stops = await run(work, { reported: whole });
        cost.begin('report');
        if (!whole) return { exit: 0 };
        const report = await buildNightReport(work, { kind: 'run', stops, exitOf: () => 0 });
        if (await publishNightReport(work, report)) throw new Error('the report is not written');
        await ledger.closeReportWindow();
        cost.begin('notices');
        return { exit: 0, totals: totalsOf(report), report };
      };
      const result = await timed(async () => {
        cost.begin('night');
        await recordedRun(work, { kind: 'run', log: () => {}, isStopped: () => false }, night);
        return authorized;
      }, cost.end);
      if (authorized !== size || (whole && answered !== size)) {
        throw new Error(`of ${size} documents ${authorized} are authorized, ${answered} have an answer`);
      }
      post?.send('how many?');
      if (post && ((await once(post, 'message')) as [number])[0] !== 1) throw new Error('no mail came');
      return result;
    } finally {
      service.disconnect();
      post?.disconnect();
    }
  };

/** Processor seconds of this process, by the phase that was under way, and the seconds on the clock of the night and after it. */
function costByPhase() {
  const seconds: { [phase: string]: number } = {};
  let phase: string | undefined;
  let since = process.cpuUsage();
  let sinceMs = performance.now();
  const begin = (next: string | undefined) => {
    const { user, system } = process.cpuUsage(since);
    const nowMs = performance.now();
    if (phase !== undefined) {
      const clock = phase === 'night' ? 'nightOnClock' : 'eveningOnClock';
      seconds[phase] = (seconds[phase] ?? 0) + (user + system) / 1e6;
      seconds[clock] = (seconds[clock] ?? 0) + (nowMs - sinceMs) / 1000;
    }
    [phase, since, sinceMs] = [next, process.cpuUsage(), nowMs];
  };
  const end = () => {
    begin(undefined);
    return seconds;
  };
  return { begin, end };
}

/** Answers of one export, made by a process that has done nothing else: it reads the ledger of another one. */
export const answersAlone: Measurement = async ({ size, out }) => {
  const folder = newFolder(out);
  const intake = fork(join(import.meta.dirname, 'intake-process.ts'), [folder, String(size)]);
  const [environment] = (await once(intake, 'message')) as [Description['environment']];
  await once(intake, 'exit');
  const instance = readInstance(folder, { variables: environment });
  await using ledger = await openLedgerOf(instance);
  await using work = await openWork(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  const [source] = await ledger.filesCalled('FAC.csv');
  const decision = { by: 'bench', at: new Date().toISOString(), reason: 'bench' };
  await answerAgain(work, { file: source?.id }, decision);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() / 2 ** 20);
  }, SAMPLE_MS);
  const result = await timed(
    async () => {
      await reportAnswers(work);
      const [file] = await ledger.answerFiles(0, 1);
      return file?.documents ?? 0;
    },
    () => ({ rss: most }),
  );
  clearInterval(timer);
  if (result.documents !== size) throw new Error(`of ${size} documents ${result.documents} have an answer`);
  return result;
};

/** An instance whose export is read and not sent. */
export async function admitted(folder: string, size: number, described: Description): Promise<void> {
  const instance = await instanceIn(folder, described, true, undefined, 'file');
  copyFileSync(exportFile('csv', size), join(instance.paths.inbox, 'FAC.csv'));
  await using ledger = await openLedgerOf(instance);
  await using work = await openWork(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  await ingestAll(work, 'run');
}

async function instanceIn(
  folder: string,
  { services, environment }: Description,
  whole: boolean,
  port: number | undefined,
  when = 'change',
): Promise<Instance> {
  mkdirSync(join(folder, 'mappings'), { recursive: true, mode: 0o700 });
  const mail = { to: ['a@example.org'], from: 'n@example.org', smtp: { host: '127.0.0.1', port, tls: 'none' } };
  const settings = {
    version: 1,
    services: { fr: { ...services.fr, concurrency: AT_A_TIME } },
    rules: { fr: 'wire' },
    inbox: { settle: '1ms' },
    ...(port === undefined ? {} : { notify: [{ mail, on: ['always'] }] }),
  };
  writeFileSync(join(folder, SETTINGS_FILE), stringify(settings), { mode: 0o600 });
  const mapping = mappingText().replace('tables:', LETTERS);
  const answers = whole ? ANSWERS.replace('when: change', `when: ${when}`) : '';
  writeFileSync(join(folder, 'mappings', 'bench.yaml'), mapping + answers);
  const instance = readInstance(folder, { variables: environment });
  makeFolders(instance.paths);
  await createLedgerOf(instance);
  return instance;
}
