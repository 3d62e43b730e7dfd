/**
 * What the program knows about a country, as one value: its service, its kinds of documents and their rules, its calendar,
 * and what a new instance asks for. The program folds over the list in catalogue.ts; no other file chooses by a country's name.
 */
import type { z } from 'zod';
import type { DeliveryService } from '../delivery/service.ts';
import type { Language } from '../i18n/message.ts';
import type { DocumentKind, ServiceName } from '../model/document.ts';
import type { ProfileName } from '../model/rule.ts';

export type Country = {
  /** Of its block below `services` and of its profile below `rules`. */
  readonly name: ServiceName;
  readonly service: DeliveryService;
  readonly kinds: readonly DocumentKind[];
  /** The zone whose calendar the service keeps: dates of admission, years of numbering. */
  readonly zone: string;
  /** The setting `rules.<name>`; its default is the profile of an instance that names none. */
  readonly profile: z.ZodDefault<z.ZodType<ProfileName>>;
  /** How far apart two consultations that did not find a document in doubt are, before it may be sent again. */
  readonly notFoundApart: 'an-hour' | 'two-days';
  readonly setup: CountrySetup;
};

/** What `init` and `demo` write about a country into a new instance. */
type CountrySetup = {
  /** In the comments of the settings file. */
  readonly label: string;
  /** The languages of people whom `init` proposes this country to. */
  readonly languages: readonly Language[];
  /** The settings below `services.<name>` that `init` asks for, in the order of the questions. */
  readonly questions: readonly string[];
  /** The file of its secret, in the instance folder. */
  readonly secretFile: string;
  /** Its block below `services`, as YAML with comments. `answered` gives an answer of `init`, else the placeholder, as YAML. */
  readonly services: (answered: (question: string, placeholder?: string) => string) => string;
  /** Its line below `rules`. */
  readonly profile: string;
  /** Rules that compare a document with the current day: the sample exports are of one fixed day. */
  readonly rulesOfToday: readonly string[];
};
