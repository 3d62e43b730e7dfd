import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * The folder for what tests write: memory where the system has it. A program that stops loses nothing that it wrote,
 * flushed or not, so that memory shows the same as a disk, faster.
 */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
