/** --help and errors in what was typed, in the language of the person; every text of the table of commands. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemHelp } from '../../src/cli/command-help.ts';
import { COMMANDS, GLOBAL_OPTIONS } from '../../src/cli/command-table.ts';
import { nameOfItem } from '../../src/cli/session/command-entry.ts';
import { actText, commandText } from '../../src/cli/session/command-texts.ts';
import { EXIT_CODES } from '../../src/cli/session/exit-codes.ts';
import { personLanguage } from '../../src/cli/session/person-language.ts';
import { LANGUAGES } from '../catalogue.ts';
import { command } from '../program.ts';

const ROOT = join(import.meta.dirname, '../..');

function idsIn(language: string): readonly string[] {
  return Object.keys(JSON.parse(readFileSync(join(ROOT, `locales/compiled/command-texts-${language}.json`), 'utf8')));
}

test.each(LANGUAGES)('every command, option and argument has a text in %s', (language) => {
  for (const { name, takes, acts = [] } of COMMANDS) {
    expect(commandText(language, `command.${name}.does`)).not.toBe('');
    for (const item of takes) expect(itemHelp(language, name, nameOfItem(item)).text, `${name} ${item}`).not.toBe('');
    for (const act of acts) {
      const key = `${name}-${act.name}`;
      expect(actText(language, name, act.name)).not.toBe('');
      for (const item of act.takes)
        expect(itemHelp(language, key, nameOfItem(item)).text, `${key} ${item}`).not.toBe('');
    }
  }
  for (const item of GLOBAL_OPTIONS) expect(itemHelp(language, '', nameOfItem(item)).text, item).not.toBe('');
  for (const code of EXIT_CODES) expect(commandText(language, `exit-code.${code}`)).not.toBe('');
});

test('every text belongs to a command, an option, an argument or a choice of the table', async () => {
  const known = new Set(['command.help.does', 'option.help', 'option.version']);
  const named = (command: string, name: string) => [`command.${command}.${name}`, `option.${name}`, `argument.${name}`];
  for (const item of GLOBAL_OPTIONS) known.add(`option.${nameOfItem(item)}`);
  for (const { name, takes, acts = [], load } of COMMANDS) {
    known.add(`command.${name}.does`);
    for (const act of acts) {
      known.add(`command.${name}-${act.name}.does`);
      for (const id of act.takes.flatMap((item) => named(`${name}-${act.name}`, nameOfItem(item)))) known.add(id);
    }
    for (const id of takes.flatMap((item) => named(name, nameOfItem(item)))) known.add(id);
    for (const [item, { choices = [] }] of Object.entries((await load()).values ?? {})) {
      expect(takes.map(nameOfItem), `${name} takes ${item}`).toContain(item);
      for (const choice of choices) known.add(`command.${name}.${item}=${choice}`);
    }
  }
  const texts = idsIn('en').filter((id) => /^(command|option|argument)\./.test(id));
  expect(texts.filter((id) => !known.has(id))).toEqual([]);
});

test.each([
  ['en', 'Usage: nightpost infer', 'Arguments:', 'Options of every command:', '(one of: fr-invoice,'],
  [
    'fr',
    'Utilisation\u00a0: nightpost infer',
    'Arguments\u00a0:',
    'Options de toutes les commandes\u00a0:',
    '(au choix\u00a0: fr-invoice,',
  ],
  ['es', 'Uso: nightpost infer', 'Argumentos:', 'Opciones de todos los comandos:', '(uno de: fr-invoice,'],
] as const)('the help of a command is in %s when the settings name that language', async (language, ...words) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-help-'));
  writeFileSync(join(folder, 'nightpost.yaml'), `rules:\n  language: ${language}\n`);
  const { code, out } = await command(['-C', folder, 'infer', '--help']);
  rmSync(folder, { recursive: true });
  expect(code).toBe(0);
  for (const word of words) expect(out.replace(/[ \n]+/g, ' ')).toContain(word);
});

test.each([
  [{ LANG: 'fr_FR.UTF-8' }, 'Commandes\u00a0:', 'jouer une nuit entière'],
  [{ LANG: 'fr_FR.UTF-8', LC_ALL: 'es_SV.UTF-8' }, 'Comandos:', 'ejecutar una noche completa'],
  [{ LANG: 'de_DE.UTF-8' }, 'Commands:', 'run one whole night'],
])('the list of commands follows %j where there are no settings', async (variables, title, demo) => {
  const { out } = await command(['--help'], { LC_ALL: '', LC_MESSAGES: '', ...variables });
  expect(out).toContain(title);
  expect(out.replace(/\s+/g, ' ')).toMatch(new RegExp(demo));
  for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
});

test('the help names each act of ledger and each outcome of resolve with its meaning', async () => {
  const { out } = await command(['ledger', '--help']);
  expect(out).toMatch(/^ {2}end-quarantine \[options\] \[reason\] {2,}\S/m);
  expect(out).toMatch(/^ {2}next \[options\] \[sequence\] \[number\] \[reason\]/m);
  const next = await command(['ledger', 'next', '--help']);
  expect(next.code).toBe(0);
  expect(next.out).toMatch(/^Usage: nightpost ledger next \[options\] \[sequence\] \[number\] \[reason\]$/m);
  expect(next.out.match(/--within <value>/g)).toHaveLength(1);
  expect(next.out).not.toMatch(/--dry-run/);
  expect((await command(['resolve', '--help'])).out).toMatch(/returned: the service/);
});

test.each([
  [['--nonsense'], /option inconnue «\u00a0--nonsense\u00a0»/],
  [['stauts'], /commande inconnue «\u00a0stauts\u00a0»\n\(Vouliez-vous dire status\u00a0\?\)/],
  [['preview'], /l’argument «\u00a0file\u00a0» est obligatoire/],
  [['preview', 'x', '--doc'], /il manque une valeur à l’option «\u00a0--doc <number>\u00a0»/],
  [['resolve', 'F1'], /l’option «\u00a0--as <state>\u00a0» est obligatoire/],
  [
    ['resolve', 'F1', '--as', 'lost'],
    /«\u00a0lost\u00a0» de l’option «\u00a0--as <state>\u00a0» n’est pas valable. Valeurs possibles\u00a0: authorized/,
  ],
  [
    ['schedule', 'at'],
    /«\u00a0at\u00a0» de l’argument «\u00a0system\u00a0» n’est pas valable. Valeurs possibles\u00a0: systemd, cron/,
  ],
  [['show', 'F1', 'F2'], /trop d’arguments\u00a0: 1 attendus, 2 reçus\u00a0: F1, F2/],
  [['run', '-c', 'many'], /«\u00a0many\u00a0» .*Écrivez un nombre entier à partir de 1/],
  [['errors', '--state', 'autorized'], /Vouliez-vous dire authorized\u00a0\?/],
])('%j is refused in French', async (words, expected) => {
  const { code, out, err } = await command(words, { LC_ALL: 'fr_FR.UTF-8' });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(expected);
  expect(err).toContain('(voir nightpost --help)');
});

test('the language is that of the settings, then of the first variable that is set, then English', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-language-'));
  expect(personLanguage(folder, {})).toBe('en');
  expect(personLanguage(folder, { LANG: 'C.UTF-8' })).toBe('en');
  expect(personLanguage(folder, { LC_ALL: 'C', LANG: 'fr_FR.UTF-8' })).toBe('en');
  expect(personLanguage(folder, { LC_MESSAGES: 'es_SV.UTF-8', LANG: 'fr_FR.UTF-8' })).toBe('es');
  expect(personLanguage(folder, { LANG: 'est_EE.UTF-8' })).toBe('en');
  writeFileSync(join(folder, 'nightpost.yaml'), 'rules:\n  fr: wire\n  language: fr\n');
  expect(personLanguage(folder, { LANG: 'es_SV.UTF-8' })).toBe('fr');
  rmSync(folder, { recursive: true });
});
