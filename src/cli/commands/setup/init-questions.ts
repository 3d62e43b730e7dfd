/**
 * The questions of `init` on a terminal: options that were given are not asked for, a default is in brackets, and an
 * answer that the settings would refuse is asked for once more. QuestionStoppedError if the person ends the input.
 */
import { type ExpectedExport, type InstanceAnswers, serviceQuestions } from '../../../authoring/instance-template.ts';
import { format, type Language, type Message } from '../../../i18n/message.ts';
import { INIT_QUESTION, INIT_QUESTION_COUNT } from '../../../i18n/messages/cli-setup-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { SERVICE_NAMES, type ServiceName } from '../../../model/document.ts';
import { localize, showFaultIn } from '../../../model/fault.ts';
import { InvalidValueError } from '../../session/command-module.ts';
import { commandText } from '../../session/command-texts.ts';
import { openQuestions } from '../../session/questions.ts';
import type { Terminal } from '../../session/terminal.ts';
import {
  defaultCountries,
  faultsOfAnswers,
  isEnvironmentName,
  type PartialAnswers,
  readAge,
  readCountries,
  readExpectation,
  SANDBOX,
  withDefaults,
} from './init-answers.ts';

const LANGUAGES: readonly Language[] = ['en', 'fr', 'es'];
const EXAMPLE = 'invoices=FAC_*.csv@02:00,weekdays';

/** A conversation in one language. */
type Interview = {
  readonly language: Language;
  /** Asks until `read` takes the answer; undefined for an empty one. */
  readonly ask: <T>(question: Message, read: (text: string) => T) => Promise<T | undefined>;
  readonly reply: (text: string) => void;
};

/** An empty answer takes the default. `language` is that of the system. */
export async function askForAnswers(
  given: PartialAnswers,
  options: { readonly language: Language; readonly terminal: Terminal },
): Promise<InstanceAnswers> {
  using questions = openQuestions();
  const language = given.language ?? (await askLanguage(questions.ask, options.language));
  const interview = interviewIn(language, questions.ask, options.terminal);
  const { ask, reply } = interview;
  reply(format(INIT_QUESTION.intro(), language));
  const company = given.company ?? (await ask(INIT_QUESTION.company(), String));
  const environment = given.environment ?? (await askEnvironment(interview));
  const imitated = { countries: given.countries ?? SERVICE_NAMES, services: {} };
  const { countries, services } = environment === SANDBOX ? imitated : await askServices(interview, given);
  const expect = given.expect ?? (await askExpectations(interview));
  const keep = given.keep ?? (await ask(INIT_QUESTION.keep(), readAge));
  return definedOnly({ language, company, environment, countries, services, expect, keep });
}

type AskLine = (question: string) => Promise<string>;

function interviewIn(language: Language, askLine: AskLine, { talk }: Terminal): Interview {
  const reply = (text: string) => talk(`  ${text}`);
  const ask: Interview['ask'] = async (question, read) => {
    for (;;) {
      const text = await askLine(`${format(question, language)} `);
      if (text === '') return undefined;
      try {
        return read(text);
      } catch (error) {
        if (!(error instanceof InvalidValueError)) throw error;
        reply(commandText(language, `usage.${error.text}`, error.values));
      }
    }
  };
  return { language, ask, reply };
}

/** The first question, in the language that is proposed. */
async function askLanguage(askLine: AskLine, proposed: Language): Promise<Language> {
  const question = format(INIT_QUESTION.language({ choices: LANGUAGES.join(', '), proposed }), proposed);
  for (;;) {
    const text = (await askLine(`${question} `)).toLowerCase();
    const language = text === '' ? proposed : LANGUAGES.find((one) => one === text);
    if (language) return language;
  }
}

async function askEnvironment({ ask }: Interview): Promise<string> {
  const read = (text: string) => {
    if (isEnvironmentName(text)) return text;
    throw new InvalidValueError('environment');
  };
  return (await ask(INIT_QUESTION.environment({ sandbox: SANDBOX, proposed: 'test' }), read)) ?? 'test';
}

/** The countries, and the settings of the service of each. */
async function askServices(interview: Interview, given: PartialAnswers) {
  const proposed = defaultCountries(given, interview.language);
  const question = INIT_QUESTION.country({ choices: SERVICE_NAMES.join(', '), proposed: proposed.join(',') });
  const countries: readonly ServiceName[] =
    given.countries ?? (await interview.ask(question, readCountries)) ?? proposed;
  const services: Record<string, string> = { ...given.services };
  interview.reply(format(INIT_QUESTION.provider(), interview.language));
  for (const setting of countries.flatMap(serviceQuestions)) {
    const answer = services[setting] ?? (await askSetting(interview, setting));
    if (answer !== undefined) services[setting] = answer;
  }
  return { countries, services };
}

/** The shape of the settings judges the answer: a fault is shown, and the question is asked again. */
async function askSetting({ ask, reply, language }: Interview, setting: string): Promise<string | undefined> {
  for (;;) {
    const text = await ask(INIT_QUESTION.setting({ setting: `services.${setting}` }), String);
    if (text === undefined) return undefined;
    const [fault] = localize(faultsOfAnswers(withDefaults({ services: { [setting]: text } }, language)), language);
    if (!fault) return text;
    reply(showFaultIn(fault, language));
  }
}

async function askExpectations({ ask, reply, language }: Interview): Promise<readonly ExpectedExport[]> {
  const expect: ExpectedExport[] = [];
  reply(format(INIT_QUESTION.expectIntro({ example: EXAMPLE }), language));
  for (;;) {
    const one = await ask(INIT_QUESTION.expect(), readExpectation);
    if (!one) return expect;
    expect.push(one);
    reply(format(INIT_QUESTION_COUNT.expected({ count: expect.length }), language));
  }
}
