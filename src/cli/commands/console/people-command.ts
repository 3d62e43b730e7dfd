/**
 * `people`: who may use the console. Adds and revokes people, changes their role, makes sign-in links and tokens of the
 * API, which are printed once. Throws OperatorError `people/*`.
 */
import type { Command } from 'commander';
import { type ChangedBy, openPeople, type People } from '../../../console/people/people.ts';
import { CONSOLE_ROLES, type ConsoleRole, type KnownPerson } from '../../../console/people/person.ts';
import type { Language } from '../../../i18n/message.ts';
import { CONSOLE_ROLE, PEOPLE, PEOPLE_COMMAND } from '../../../i18n/messages/console/console-server-messages.ts';
import { consoleAddress, signInAddress } from '../../../instance/console-address.ts';
import { readCheckedConfig } from '../../../instance/instance.ts';
import { accountName } from '../../../model/account-name.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import { localTime } from '../../../text/local-time.ts';
import { escapeControls } from '../../../text/printable.ts';
import { table } from '../../layout/layout.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { type CommandOutput, openOutput, overridesOf } from '../../session/command-session.ts';
import { askHidden, QuestionStoppedError } from '../../session/questions.ts';
import { SIGNAL_EXITS } from '../../session/stop-signals.ts';

const ACTS = ['list', 'add', 'role', 'revoke', 'password', 'link', 'token', 'bind'] as const;

export const peopleCommand: CommandModule = {
  run: handlePeople,
  values: { act: { choices: ACTS }, role: { choices: CONSOLE_ROLES }, lang: { choices: ['en', 'fr', 'es'] } },
};

type Options = { readonly role?: ConsoleRole; readonly lang?: Language };
type Act = (typeof ACTS)[number];

async function handlePeople(act: Act, [name]: readonly string[], options: Options, command: Command): Promise<void> {
  const output = openOutput(command);
  const { settings } = readCheckedConfig(output.options.dir, overridesOf(output.options));
  using people = openPeople(output.options.dir);
  if (act === 'list') {
    printList(output, people.list());
    return;
  }
  if (name === undefined) throw new OperatorError('people/name', PEOPLE.name(), { hint: PEOPLE.nameHint() });
  const by: ChangedBy = { name: accountName(), address: 'local' };
  const address = consoleAddress(settings.serve, people.salt, settings.serve.port);
  const link = (token: string) => ({ link: signInAddress(address, token) });
  if (act === 'password') return await setPassword(output, { people, name, by, company: settings.company });
  print(output, name, act, makeChange(act, { people, name, by, options, link }));
}

type Change = {
  readonly people: People;
  readonly name: string;
  readonly by: ChangedBy;
  readonly options: Options;
  readonly link: (token: string) => { readonly link: string };
};

/** What is shown once: the link or the token. */
function makeChange(act: Act, { people, name, by, options, link }: Change): { readonly [key: string]: string } {
  if (act === 'add') {
    people.add(name, needRole(options), by, options.lang);
    return link(people.makeLink(name, by));
  }
  if (act === 'role') people.setRole(name, needRole(options), by);
  else if (act === 'revoke') people.revoke(name, by);
  else if (act === 'bind') people.allowBinding(name, by);
  else return act === 'link' ? link(people.makeLink(name, by)) : { token: people.makeToken(name, by) };
  return {};
}

function needRole({ role }: Options): ConsoleRole {
  if (role !== undefined) return role;
  throw new OperatorError('people/no-role', PEOPLE.noRole(), { hint: PEOPLE.noRoleHint() });
}

type NewPassword = Pick<Change, 'people' | 'name' | 'by'> & { readonly company?: string | undefined };

/** Typed without being shown, or from standard input. */
async function setPassword(output: CommandOutput, { people, name, by, company }: NewPassword): Promise<void> {
  const { say, terminal } = output;
  try {
    const typed = process.stdin.isTTY
      ? await askHidden(`${say(PEOPLE_COMMAND.question({ name }))} `)
      : await readInput();
    await people.setPassword(name, typed.replace(/\r?\n$/, ''), by, company);
    print(output, name, 'password', {});
  } catch (error) {
    if (!(error instanceof QuestionStoppedError)) throw error;
    terminal.talk(`  ${say(PEOPLE_COMMAND.stopped())}`);
    process.exitCode = SIGNAL_EXITS.SIGINT;
  }
}

const MOST_INPUT = 4096;

async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > MOST_INPUT) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function print(
  { options, terminal, say }: CommandOutput,
  name: string,
  act: Act,
  shown: { readonly [key: string]: string },
) {
  if (options.json) {
    terminal.out(JSON.stringify({ name, act, ...shown }, null, 2));
    return;
  }
  terminal.out(escapeControls(`  ${say(PEOPLE_COMMAND[act === 'list' ? 'add' : act]({ name }))}`));
  for (const text of Object.values(shown)) terminal.out(`  ${text}`);
}

function printList({ options, terminal, say, locale }: CommandOutput, people: readonly KnownPerson[]): void {
  const shown = people.map(({ id: _, ...person }) => definedOnly(person));
  if (options.json || people.length === 0) {
    terminal.out(options.json ? JSON.stringify({ people: shown }, null, 2) : `  ${say(PEOPLE_COMMAND.none())}`);
    return;
  }
  const { title } = PEOPLE_COMMAND;
  const columns = [title.name(), title.role(), title.since(), title.sessions()].map((one) => ({ title: say(one) }));
  const rows = people.map(({ name, role, addedAt, sessions, revokedAt }) => [
    name,
    say(revokedAt ? PEOPLE_COMMAND.revoked() : CONSOLE_ROLE[role]()),
    localTime(addedAt, locale),
    String(sessions),
  ]);
  terminal.out(table(columns, rows));
}
