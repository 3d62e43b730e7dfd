/**
 * SQLite as the program of a simulation sees it, in place of `node:sqlite`: the real one. A program may be stopped before a commit,
 * or after it and before it knows of it; one that is gone has no database open any more.
 */
import { registerHooks } from 'node:module';
import { DatabaseSync as Real, type StatementSync } from 'node:sqlite';
import { assertAlive, beforeWrite, programNow } from './running.ts';
import { moved } from './virtual-time.ts';

export { backup, constants, StatementSync } from 'node:sqlite';

const COMMIT = /^\s*COMMIT/i;

export class DatabaseSync extends Real {
  #forget: () => void = () => {};

  constructor(...given: ConstructorParameters<typeof Real>) {
    assertAlive();
    super(...given);
    const program = programNow();
    const free = () => super.close();
    program?.frees.add(free);
    this.#forget = () => void program?.frees.delete(free);
  }

  override close(): void {
    this.#forget();
    // The system has closed it at the end of its program.
    if (this.isOpen || !programNow()?.isGone) super.close();
  }

  override exec(text: string): void {
    if (COMMIT.test(text)) committing(() => super.exec(text));
    else super.exec(text);
  }

  override prepare(...given: Parameters<Real['prepare']>): StatementSync {
    const statement = super.prepare(...given);
    if (!COMMIT.test(given[0])) return statement;
    const run = statement.run.bind(statement) as (...values: readonly unknown[]) => ReturnType<StatementSync['run']>;
    return Object.assign(statement, { run: (...values: readonly unknown[]) => committing(() => run(...values)) });
  }
}

function committing<T>(commit: () => T): T {
  beforeWrite();
  moved();
  const done = commit();
  beforeWrite();
  return done;
}

/** From here on who imports `node:sqlite` gets this module; before the program is loaded. */
export function takeOverDatabases(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const isTaken = specifier === 'node:sqlite' && context.parentURL !== import.meta.url;
      return isTaken ? { url: import.meta.url, shortCircuit: true } : next(specifier, context);
    },
  });
}
