/**
 * What administrators do about people, as forms. A link or a token is in the answer itself, once; everything else leads back
 * to a page. Administrators do not change their own role, so one always stays.
 */
import type { Language } from '../../../i18n/message.ts';
import { CONSOLE_PEOPLE } from '../../../i18n/messages/console/console-people-messages.ts';
import { CONSOLE_ERROR } from '../../../i18n/messages/console/console-server-messages.ts';
import { consoleAddress, signInAddress } from '../../../instance/console-address.ts';
import { OperatorError } from '../../../model/fault.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { ChangedBy } from '../../people/people.ts';
import { CONSOLE_ROLES, type ConsolePerson } from '../../people/person.ts';
import { notFound, type Screen, type ScreenContext, ScreenError, seeOther } from '../../server/screen-context.ts';
import { LANGUAGE_NAMES } from '../../shell/page-frame.ts';
import type { NoticeOptions } from '../../shell/parts.ts';
import { peoplePage } from './people-screen.ts';
import { personPage } from './person-screen.ts';

export const addPerson: Screen = async (context) => {
  const { form, people, say } = context;
  const role = CONSOLE_ROLES.find((one) => one === form.get('role')) ?? 'viewer';
  const language = (Object.keys(LANGUAGE_NAMES) as Language[]).find((one) => one === form.get('language'));
  const name = String(form.get('name') ?? '');
  try {
    const person = people.add(name, role, byOf(context), language);
    const text = shownOnce(say(CONSOLE_PEOPLE.shown.link({ name: person.name })), linkFor(context, person));
    return await personPage(under(context, `/people/${person.id}`), person.id, { tone: 'ok', text });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return await peoplePage(under(context, '/people'), refusal(context, error));
  }
};

export const changeRole: Screen = async (context) => {
  const person = otherPerson(context);
  const role = CONSOLE_ROLES.find((one) => one === context.form.get('role'));
  if (!role) throw new ScreenError({ status: 400, message: CONSOLE_ERROR.bodyUnreadable() });
  context.people.setRole(person.name, role, byOf(context));
  return seeOther(context, `/people/${person.id}?done=role`);
};

export const revokePerson: Screen = async (context) => {
  const person = otherPerson(context);
  context.people.revoke(person.name, byOf(context));
  return seeOther(context, `/people/${person.id}?done=revoke`);
};

export const makePersonLink: Screen = async (context) => {
  const person = askedPerson(context);
  const text = shownOnce(context.say(CONSOLE_PEOPLE.shown.link({ name: person.name })), linkFor(context, person));
  return await personPage(under(context, `/people/${person.id}`), person.id, { tone: 'ok', text });
};

export const makePersonToken: Screen = async (context) => {
  const person = askedPerson(context);
  const token = context.people.makeToken(person.name, byOf(context));
  const text = shownOnce(context.say(CONSOLE_PEOPLE.shown.token({ name: person.name })), token);
  return await personPage(under(context, `/people/${person.id}`), person.id, { tone: 'ok', text });
};

export const endPersonSessions: Screen = async (context) => {
  const person = askedPerson(context);
  context.people.endSessionsOf(person, endedSessions(context), byOf(context));
  return seeOther(context, `/people/${person.id}?done=sessions`);
};

/** The session that the form names, or all others than the one that asks. */
export function endedSessions({ form, session }: Pick<ScreenContext, 'form' | 'session'>) {
  const one = form.get('session');
  return { ...(typeof one === 'string' && { one }), ...(session !== undefined && { keep: session }) };
}

export function byOf({ person, address }: Pick<ScreenContext, 'person' | 'address'>): ChangedBy {
  return { name: person.name, address };
}

/** Throws ScreenError 404: the person has no access, or never had. */
function askedPerson({ people, params }: ScreenContext): ConsolePerson {
  const person = people.withId(params.id ?? '');
  if (person) return person;
  throw notFound();
}

/** Throws ScreenError 403 for the own access. */
function otherPerson(context: ScreenContext): ConsolePerson {
  const person = askedPerson(context);
  if (person.id !== context.person.id) return person;
  throw new ScreenError({ status: 403, message: CONSOLE_PEOPLE.ownAccess() });
}

/** With the port of this page: the settings may leave it to the system. */
function linkFor(context: ScreenContext, person: ConsolePerson): string {
  const { people, instance, url } = context;
  const { serve } = instance.settings;
  const token = people.makeLink(person.name, byOf(context));
  return signInAddress(consoleAddress(serve, people.salt, Number(url.port) || serve.port), token);
}

function shownOnce(words: string, secret: string): Markup {
  return markup`${words} <code class="secret">${secret}</code>`;
}

export function refusal({ language }: Pick<ScreenContext, 'language'>, error: OperatorError): NoticeOptions {
  const { message, hint } = error.localized(language);
  return { tone: 'fix', title: message, text: hint ?? '' };
}

/** The page that an answer to a form shows: its links and forms lead to an address that a browser may ask for. */
export function under(context: ScreenContext, path: string): ScreenContext {
  return { ...context, url: new URL(`${context.base}${path}`, context.url) };
}
