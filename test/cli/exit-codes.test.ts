/** What a scheduler learns from the exit code, as a table. */
import { expect, test, vi } from 'vitest';
import { report } from '../../src/cli/output/report-error.ts';
import { type Ending, exitCodeOf, exitCodeOfError } from '../../src/cli/session/exit-codes.ts';
import { OperatorError } from '../../src/model/fault.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';

const stops = (...causes: string[]) => causes.map((cause) => ({ cause }));

test.each<[string, Ending, number]>([
  ['nothing to do', { stops: [], needPeople: 0 }, 0],
  ['people needed', { stops: [], needPeople: 2 }, 3],
  ['credentials', { stops: stops('credentials'), needPeople: 0 }, 4],
  ['credentials before everything', { stops: stops('unreachable', 'no-send', 'credentials'), needPeople: 9 }, 4],
  ['unreachable', { stops: stops('unreachable'), needPeople: 0 }, 5],
  ['paused', { stops: stops('paused'), needPeople: 4 }, 5],
  ['foreign echoes', { stops: stops('foreign-echo'), needPeople: 3 }, 5],
  ['too many rejections in a row', { stops: stops('errors'), needPeople: 50 }, 5],
  ['a class without a path', { stops: stops('not-configured'), needPeople: 0 }, 3],
  ['a ledger that may not send', { stops: stops('no-send'), needPeople: 1 }, 2],
  ['an export missing, before people', { stops: stops('not-configured'), needPeople: 3, missing: 1 }, 7],
  ['a service before a missing export', { stops: stops('errors'), needPeople: 3, missing: 1 }, 5],
  ['exports that the system keeps from being taken', { stops: [], needPeople: 3, notTaken: 1 }, 5],
  ['a ledger that may not send, first', { stops: stops('no-send'), needPeople: 0, notTaken: 1 }, 2],
  ['one cause', { stops: stops('same-cause'), needPeople: 30 }, 5],
  ['Ctrl+C', { stops: [], needPeople: 3, signal: 'SIGINT' }, 130],
  ['the terminal closed', { stops: [], needPeople: 0, signal: 'SIGHUP' }, 129],
  ['the console of Windows closed', { stops: [], needPeople: 0, signal: 'SIGBREAK' }, 129],
  ['asked to end', { stops: stops('unreachable'), needPeople: 0, signal: 'SIGTERM' }, 143],
])('%s', (_, ending, code) => {
  expect(exitCodeOf(ending)).toBe(code);
});

test.each([
  [new OperatorError('config/invalid', ''), 2],
  [new OperatorError('inbox/folder-not-readable', ''), 5],
  [new OperatorError('ledger/locked', ''), 6],
  [new OperatorError('ledger/missing', ''), 2],
  [new OperatorError('ledger/postgres-refused', ''), 2],
  [new OperatorError('ledger/postgres-unreachable', ''), 5],
  [new OperatorError('ledger/postgres-replica', ''), 5],
  [new OperatorError('receipts/disk-full', ''), 5],
  [new OperatorError('receipts/no-access', ''), 5],
  [new OperatorError('receipts/too-many-open', ''), 5],
  [new OperatorError('receipts/in-the-way', ''), 5],
  [new LedgerUnavailable('ledger/disk-full', undefined), 5],
  [new TypeError('a bug'), 1],
  ['not even an error', 1],
])('%s', (error, code) => {
  expect(exitCodeOfError(error)).toBe(code);
});

test('of errors that followed each other while a program ended, the first is reported', () => {
  const full = new OperatorError('receipts/disk-full', 'the disk is full');
  const closing = new SuppressedError(new Error('the witness was not written'), full);
  const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(report(new SuppressedError(new Error('nor the metrics'), closing))).toBe(5);
    expect(print.mock.calls.join('')).toBe('nightpost: receipts/disk-full: the disk is full\n');
  } finally {
    print.mockRestore();
  }
});
