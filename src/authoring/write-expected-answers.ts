/** `test --update` for answers: writes the files of `expect-answers` as the samples give them now. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inOnePiece } from '../files/in-one-piece.ts';
import { mayBeNamed } from '../files/named-file.ts';
import { writeDurable } from '../files/write-durable.ts';
import type { Instance } from '../instance/instance.ts';
import type { MappingTest } from '../mapping/file/mapping-shape.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { appendAll } from '../text/long-lists.ts';
import { mappingsNamed, TEST_DAY } from '../views/preview/run-mapping-tests.ts';
import { expectedAnswers } from '../views/preview/sample-answers.ts';

/** Resolves to the paths that changed. An error of the disk is thrown as Node gives it. */
export async function writeExpectedAnswers(instance: Instance, ids: readonly string[]): Promise<readonly string[]> {
  const written: string[] = [];
  for (const mapping of mappingsNamed(instance, ids)) {
    for (const test of mapping.tests) appendAll(written, await writeExpected(instance, mapping, test));
  }
  return written;
}

async function writeExpected(instance: Instance, mapping: Mapping, test: MappingTest): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { path, made } of await expectedAnswers(instance, mapping, test, TEST_DAY)) {
    const golden = join(instance.folder, path);
    const isSame = made && existsSync(golden) && readFileSync(golden).equals(made.bytes);
    if (!made || isSame || !mayBeNamed(path)) continue;
    mkdirSync(dirname(golden), { recursive: true });
    await writeDurable(golden, inOnePiece(made.bytes));
    written.push(path);
  }
  return written;
}
