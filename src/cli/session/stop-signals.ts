/** Signals that ask a command that works for an orderly end, and the exit codes that say so. */
import { constants } from 'node:os';

/** Windows sends the first when a console is closed. */
export const SIGNAL_EXITS = { SIGHUP: 129, SIGBREAK: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof SIGNAL_EXITS;

/** SIGBREAK is known on Windows only. */
export const STOP_SIGNALS = (Object.keys(SIGNAL_EXITS) as StopSignal[]).filter((signal) => signal in constants.signals);
