/**
 * The console next to a watch, in a process of its own: whatever happens to it, the watch goes on. It starts again after
 * a crash, later each time; where its settings or its port are wrong, it reports that and stays away.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Language } from '../../i18n/message.ts';
import { format } from '../../i18n/message.ts';
import { SERVE_COMMAND } from '../../i18n/messages/console/console-server-messages.ts';
import type { GlobalOptions } from './command-session.ts';
import type { Terminal } from './terminal.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
const GRACE_MS = 5_000;
/** Exit code of a console that cannot start: another attempt would end alike. */
const CANNOT_START = 2;

type Watching = { readonly options: GlobalOptions; readonly terminal: Terminal; readonly language: Language };

/** Ends with the watch, also where that is killed: the console notices that its channel is gone. */
export function serveNextTo({ options, terminal, language }: Watching): AsyncDisposable {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isEnding = false;
  const start = () => {
    const started = spawn(
      process.execPath,
      [...process.execArgv, process.argv[1] ?? '', ...globalWords(options), 'serve'],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    child = started;
    const ended = (code: number | null) => {
      if (child !== started || isEnding) return;
      child = undefined;
      if (code === CANNOT_START) {
        terminal.talk(`  ${format(SERVE_COMMAND.stays(), language)}`);
        return;
      }
      terminal.talk(`  ${format(SERVE_COMMAND.again({ seconds: waitMs / 1000 }), language)}`);
      timer = setTimeout(start, waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
    started.once('error', () => ended(null));
    started.once('exit', ended);
  };
  start();
  return {
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      clearTimeout(timer);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      const last = child;
      child.kill('SIGTERM');
      const kill = setTimeout(() => last.kill('SIGKILL'), GRACE_MS);
      await exit;
      clearTimeout(kill);
    },
  };
}

function globalWords({ dir, env, quiet }: GlobalOptions): readonly string[] {
  return ['-C', dir, ...(env === undefined ? [] : ['--env', env]), ...(quiet ? ['--quiet'] : [])];
}
