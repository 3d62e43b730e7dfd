/**
 * The answers of all mappings of an instance in; a warning out for each pair whose files would have the same names in one
 * folder, and for each folder that the settings do not have. Either would be found in the night. Nothing throws.
 */
import { resolve } from 'node:path';
import { ANSWERS_BLOCK, CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import { ANSWERS_FAULT } from '../i18n/messages/receipts-messages.ts';
import type { Settings } from '../instance/settings-shape.ts';
import type { CompiledAnswers } from '../mapping/answers/compiled-answers.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { answerFolderPath } from '../pipeline/answers/answer-folders.ts';

type Block = { readonly mapping: Mapping; readonly answers: CompiledAnswers; readonly path: string | undefined };

/** `mapping/same-answers` and `answers/no-folder`. */
export function answerConflicts(folder: string, settings: Settings, mappings: readonly Mapping[]): readonly Fault[] {
  const blocks = mappings.flatMap((mapping) =>
    mapping.answers.map((answers): Block => {
      return { mapping, answers, path: answerFolderPath({ folder: resolve(folder), settings }, answers.to) };
    }),
  );
  return [...blocks.flatMap(withoutFolder), ...blocks.flatMap((second, n) => sameNames(blocks.slice(0, n), second))];
}

function withoutFolder({ mapping, answers, path }: Block): readonly Fault[] {
  if (path !== undefined) return [];
  const message = ANSWERS_BLOCK.noFolder({ file: mapping.file, name: answers.to });
  return [{ code: 'answers/no-folder', level: 'warning', ...withMessage(message, ANSWERS_FAULT.nameFolder()) }];
}

function sameNames(others: readonly Block[], second: Block): readonly Fault[] {
  const first = others.find((one) => collide(one, second));
  if (!first) return [];
  const { file } = first.mapping;
  const message = CHECK_FINDINGS.sameAnswers({
    first: file,
    second: second.mapping.file,
    name: second.answers.name.text,
  });
  const hint = CHECK_FINDINGS.otherAnswers();
  return [{ code: 'mapping/same-answers', level: 'warning', ...withMessage(message, hint) }];
}

/** Names of exports differ where their patterns do; a number counts up in each mapping by itself. */
function collide(one: Block, other: Block): boolean {
  if (one.mapping === other.mapping && one.answers.to === other.answers.to) return false;
  if (one.path === undefined || one.path !== other.path || nameOf(one) !== nameOf(other)) return false;
  return (
    !one.answers.name.perFile || one.mapping.accepts.files.some((file) => other.mapping.accepts.files.includes(file))
  );
}

/** Without what differs by number alone. */
function nameOf({ mapping, answers }: Block): string {
  return answers.name.text
    .replaceAll('{mapping}', mapping.id)
    .replace(/\{n:\d+\}/g, '{n}')
    .toLowerCase();
}
