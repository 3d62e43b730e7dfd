/**
 * The small blocks of a French invoice, field by field as in french-invoicing 2.2. They are functions, because a block
 * has a description by its place: the address of a party, of a delivery. Values "seen in use" are in descriptions and
 * never enforced, because the contract shows no complete lists.
 */
import type { z } from 'zod';
import { part } from '../schema/schema-parts.ts';

/** A list of {key, value}: the place for everything that the contract has no field for. */
export function additionalInfo(): z.ZodType {
  const entry = part.object('further information', { key: part.text('its key'), value: part.text('its value') });
  return part.list('further information, as key and value', entry);
}

/** A list of {type, value}; `says` is its description in the manual, as in all functions here. */
export function identifiers(says: string): z.ZodType {
  const identifier = part.object('identifier', {
    type: part.text('kind of identifier; seen: siren, siret, vat'),
    value: part.text('the identifier itself'),
    tag: part.text('tag'),
    note: part.text('note'),
  });
  return part.list(says, identifier);
}

/** A postal address; the country is an ISO 3166-1 code by rule, not by shape. */
export function address(says: string): z.ZodType {
  return part.object(says, {
    street: part.text('street'),
    'street-additional': part.text('second line of the street'),
    city: part.text('city'),
    'postal-code': part.text('postal code'),
    region: part.text('region'),
    country: part.text('country code'),
  });
}

/** A list of {type, value}: electronic addresses, names, and most lists of the report. */
export function typedValues(says: string, type: string, value: string): z.ZodType {
  return part.list(says, part.object(value, { type: part.text(type), value: part.text(value) }));
}

/** A list of further days with their kind, such as the ends of a period. */
export function additionalDates(): z.ZodType {
  const date = part.object('further date', {
    type: part.text('kind of date'),
    value: part.day('the date'),
    tag: part.text('tag'),
    note: part.text('note'),
  });
  return part.list('further dates', date);
}

/** A list of things that a block is about: goods, accounts, cards. */
export function businessObjects(says: string): z.ZodType {
  const object = part.object('object', {
    type: part.text('kind of object'),
    identifiers: identifiers('identifiers of the object'),
    names: typedValues('names of the object', 'kind of name', 'the name'),
    'additional-info': additionalInfo(),
    tag: part.text('tag'),
  });
  return part.list(says, object);
}
