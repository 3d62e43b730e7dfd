/**
 * The log: one JSON line per happening in logs/<day>.log, written through at once, scrubbed of every revealed secret.
 *
 * It never ends the work: where it cannot be written that is reported once a day on standard error, and lines are lost.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { format } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { type Instance, makeFolders } from '../../instance/instance.ts';
import type { PipelineEvent } from '../../pipeline/context/run-context.ts';
import { stripTerminalControls } from '../../text/printable.ts';
import { shownSafely } from './terminal.ts';

export type Log = (happening: PipelineEvent, run: string) => void;

export function openLog(instance: Instance): Log {
  makeFolders(instance.paths);
  const write = openFile(instance.paths.logs, (path, error) => {
    const says = SESSION.noLog({ path, error: (error as NodeJS.ErrnoException).code ?? 'error' });
    process.stderr.write(`  ${shownSafely(format(says, instance.settings.rules.language))}\n`);
  });
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(stripTerminalControls(instance.secrets.scrub(line))) },
  );
  return (happening, run) => logger.info({ run, ...happening });
}

/** A watch lives for months: each day has its own file. */
function openFile(folder: string, failed: (path: string, error: unknown) => void): (line: string) => void {
  let day = '';
  let file: number | undefined;
  let toldOn = '';
  const pathOf = (of: string) => join(folder, `${of}.log`);
  const fileOf = (today: string): number => {
    if (file !== undefined && day === today) return file;
    if (file !== undefined) closeSync(file);
    file = undefined;
    file = openSync(pathOf(today), 'a', 0o600);
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

function writeAll(file: number, line: string): void {
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
