/**
 * The log: one JSON line per event in logs/<day>.log, written at once and scrubbed of every revealed secret. On a share each
 * machine has a file of its own, logs/<day>.<machine>.log: two that append to one file there overwrite each other's lines. It never
 * stops the work: if it cannot be written, standard error reports that once a day, and lines are lost.
 */
import { closeSync, fstatSync, openSync, type Stats, statfsSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { networkKind } from '../../files/network-kind.ts';
import { format } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { type Instance, makeOwnFolders } from '../../instance/instance.ts';
import type { PipelineEvent } from '../../pipeline/context/run-context.ts';
import { stripTerminalControls } from '../../text/printable.ts';
import { shownSafely } from './terminal.ts';

/** Records one event of a run. */
export type Log = (event: PipelineEvent, run: string) => void;

/** Makes the folders of the instance; the file of the day is opened with the first event. `statfs` is that of the system. */
export function openLog(instance: Instance, statfs: (path: string) => { readonly type: number } = statfsSync): Log {
  makeOwnFolders(instance.paths);
  const ending = isOnShare(instance.paths.logs, statfs) ? `.${hostname().replaceAll(/[^\w.-]/g, '_')}.log` : '.log';
  const write = openFile(instance.paths.logs, ending, (path, error) => {
    const says = SESSION.noLog({ path, error: (error as NodeJS.ErrnoException).code ?? 'error' });
    process.stderr.write(`  ${shownSafely(format(says, instance.settings.rules.language))}\n`);
  });
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(stripTerminalControls(instance.secrets.scrub(line))) },
  );
  return (event, run) => {
    if (event.what !== 'consultation-waits') logger.info({ run, ...event });
  };
}

function isOnShare(folder: string, statfs: (path: string) => { readonly type: number }): boolean {
  try {
    return process.platform === 'linux' && networkKind(statfs(folder).type) !== undefined;
  } catch {
    // The first line that cannot be written reports a folder that is missing.
    return false;
  }
}

/** A `watch` runs for months: each local day has its own file, opened with mode 0600. */
function openFile(
  folder: string,
  ending: string,
  failed: (path: string, error: unknown) => void,
): (line: string) => void {
  let day = '';
  let file: number | undefined;
  let opened: Stats | undefined;
  let toldOn = '';
  const pathOf = (of: string) => join(folder, `${of}${ending}`);
  const fileOf = (today: string): number => {
    if (file !== undefined && opened && day === today && isStillAt(pathOf(day), opened)) return file;
    if (file !== undefined) closeSync(file);
    file = undefined;
    file = openSync(pathOf(today), 'a', 0o600);
    opened = fstatSync(file);
    day = today;
    return file;
  };
  return (line) => {
    const today = new Date().toLocaleDateString('sv-SE');
    try {
      writeAll(fileOf(today), line);
    } catch (error) {
      if (toldOn !== today) failed(pathOf(today), error);
      toldOn = today;
    }
  };
}

/** A person or logrotate may remove or rename the file at any time: what is written into it then is lost. */
function isStillAt(path: string, { ino, dev }: Stats): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there?.ino === ino && there.dev === dev;
}

/** `writeSync` may write a part only: repeats until the line is complete. */
function writeAll(file: number, line: string): void {
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
