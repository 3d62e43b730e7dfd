/**
 * Saves a mapping that was written in the studio, only as a new version: the text with its number raised comes out, all
 * else byte for byte, comments too. Throws OperatorError `mapping/invalid` for a text with errors, or whose version
 * cannot be raised, and `tools/changed-meanwhile` where the file is no longer what the person began with; then nothing is
 * written.
 */

import { join } from 'node:path';
import { createTurns } from '../files/turns.ts';
import { writeDurable } from '../files/write-durable.ts';
import { STUDIO_REFUSED } from '../i18n/messages/console/console-studio-messages.ts';
import { type Instance, loadMappings, mappingTexts, mappingWorld } from '../instance/instance.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import { type Fault, isError, OperatorError, withMessage } from '../model/fault.ts';
import { sha256Hex } from '../text/sha256.ts';
import { topValue } from '../views/queries/mapping-versions.ts';
import { replaceText } from './text-edits.ts';

export type MappingToSave = {
  /** Path below the instance folder: mappings/<name>.yaml. */
  readonly file: string;
  readonly text: string;
  /** `textHash` of the file that the person began with; empty for a new file. */
  readonly base: string;
  /** Versions that have made documents: none of them is used again. */
  readonly used: readonly string[];
};

export type SavedMapping = {
  readonly id: string;
  readonly version: string;
  readonly before: string;
  readonly text: string;
};

/** Empty for a file that does not exist. */
export function textHash(text: string | undefined): string {
  return text === undefined ? '' : sha256Hex(text);
}

const inTurn = createTurns();

/** One after the other. What was saved already with this text is returned again, so that a second click is no conflict. */
export function saveMapping(
  instance: Pick<Instance, 'folder' | 'kinds'>,
  mapping: MappingToSave,
): Promise<SavedMapping> {
  return inTurn(() => save(instance, mapping));
}

async function save(instance: Pick<Instance, 'folder' | 'kinds'>, given: MappingToSave): Promise<SavedMapping> {
  const { folder } = instance;
  const { file, base, used } = given;
  const current = mappingTexts(folder).get(file);
  const isAgain =
    current !== undefined && textHash(withVersion(current, '0')) === textHash(withVersion(given.text, '0'));
  const before = current === undefined ? '' : topValue(current, 'version');
  const id = topValue(given.text, 'mapping');
  if (isAgain) return { id, version: before, before, text: current };
  if (textHash(current) !== base) {
    throw new OperatorError('tools/changed-meanwhile', STUDIO_REFUSED.changed({ file }), {
      hint: STUDIO_REFUSED.changedHint(),
    });
  }
  const version = newVersion(topValue(given.text, 'version'), before, used);
  const text = withVersion(given.text, version);
  const { mapping, faults } = loadedWith(instance, file, text);
  const errors = faults.filter(isError);
  if (errors.length > 0) {
    throw new OperatorError('mapping/invalid', STUDIO_REFUSED.invalid({ count: errors.length }), {
      faults: errors,
      hint: STUDIO_REFUSED.invalidHint(),
    });
  }
  if (mapping?.version !== version) {
    throw new OperatorError('mapping/invalid', STUDIO_REFUSED.versionPlace(), {
      hint: STUDIO_REFUSED.versionPlaceHint({ version }),
    });
  }
  const path = join(folder, file);
  if (current === undefined) await writeDurable(path, text);
  else replaceText(path, current, text);
  return { id, version, before, text };
}

/** The text as it loads, and its faults among the other mappings: of itself, and an id that another file has. */
function loadedWith(
  instance: Pick<Instance, 'folder' | 'kinds'>,
  file: string,
  text: string,
): { readonly mapping?: Mapping; readonly faults: readonly Fault[] } {
  const { mapping, faults } = loadMapping(text, file, mappingWorld(instance));
  if (!mapping) return { faults };
  const other = loadMappings(instance).mappings.find(({ id, file: path }) => id === mapping.id && path !== file);
  if (!other) return { mapping, faults };
  const words = withMessage(STUDIO_REFUSED.idTaken({ id: mapping.id, file: other.file }), STUDIO_REFUSED.idTakenHint());
  return { mapping, faults: [...faults, { code: 'mapping/id-twice', level: 'error', ...words }] };
}

/** The number that the person wrote, where it is a new one; else the next one that has made no document. */
function newVersion(written: string, before: string, used: readonly string[]): string {
  const isNew = (version: string) => version !== before && !used.includes(version);
  if (written !== '' && isNew(written)) return written;
  const [, start = '', last = ''] = /^(.*?)(\d{1,15})$/.exec(before || '0') ?? [];
  if (last === '') {
    throw new OperatorError('mapping/invalid', STUDIO_REFUSED.version({ version: before }), {
      hint: STUDIO_REFUSED.versionHint(),
    });
  }
  let number = Number(last) + 1;
  while (!isNew(`${start}${number}`)) number++;
  return `${start}${number}`;
}

/** In quotes unless it is a whole number: YAML reads 1.10 as 1.1. */
function withVersion(text: string, version: string): string {
  const shown = /^[1-9]\d*$|^0$/.test(version) ? version : JSON.stringify(version);
  return text.replace(VERSION, (_, key: string) => `${key}${shown}`);
}

const VERSION = /^((?:version|"version"|'version')[ \t]*:[ \t]+)("[^"\n]*"|'[^'\n]*'|[^#\s]+)/m;
