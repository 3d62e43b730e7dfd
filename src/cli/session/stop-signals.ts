/** Signals that request an orderly end of a command, and the exit codes that report them (129, 130, 143). */
import { constants } from 'node:os';

/** Windows sends SIGHUP when a console closes. SIGHUP is last: a process that catches it catches the others too. */
export const SIGNAL_EXITS = { SIGBREAK: 129, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The name of such a signal. */
export type StopSignal = keyof typeof SIGNAL_EXITS;

/** The signals of this system: only Windows has SIGBREAK. */
export const STOP_SIGNALS = (Object.keys(SIGNAL_EXITS) as StopSignal[]).filter((signal) => signal in constants.signals);
