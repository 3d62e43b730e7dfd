/**
 * The large blocks of a French invoice (french-invoicing 2.2): parties, references, lines, totals, agreements. Each
 * function gives the shape; `says` is its description in the manual. Every field may be left out.
 */
import { z } from 'zod';
import { part } from '../schema/schema-parts.ts';
import { additionalDates, additionalInfo, address, businessObjects, identifiers, typedValues } from './fr-parts.ts';

/** A company or person with identifiers, names, addresses and contacts. */
export function party(says: string): z.ZodType {
  const contact = part.object('contact', {
    type: part.text('kind of contact'),
    name: part.text('name of the contact'),
    email: part.text('e-mail address'),
    phone: part.text('telephone number'),
  });
  return part.object(says, {
    identifiers: identifiers('identifiers of the party'),
    name: part.text('legal name'),
    'trade-name': part.text('trade name'),
    'e-addresses': typedValues('electronic addresses', 'kind of address; seen: routing-address', 'electronic address'),
    address: address('postal address'),
    contacts: part.list('contacts', contact),
    'additional-info': additionalInfo(),
  });
}

/** Documents that this one names, such as the invoice of a credit note. */
export function references(says: string): z.ZodType {
  const reference = part.object('reference', {
    type: part.text('kind of reference; seen: original-invoice, buyer-reference'),
    identifier: part.text('number of the document referred to'),
    date: part.day('date of the document referred to'),
    'tracking-id': part.text('tracking identifier of the document referred to'),
    tag: part.text('tag'),
    'additional-info': additionalInfo(),
  });
  return part.list(says, reference);
}

/** Lines with their taxes, discounts and charges; amounts are exact decimals in the currency of the document. */
export function invoiceLines(): z.ZodType {
  const tax = part.object('tax of the line', {
    type: part.text('kind of tax; seen: vat'),
    subtype: part.text('treatment; seen: standard'),
    percent: part.amount('rate in percent'),
    amount: part.amount('amount of the tax'),
  });
  const measure = part.object('line in another unit', {
    unit: part.text('other unit of measure'),
    quantity: part.amount('quantity in that unit'),
    'unit-price': part.amount('price of that unit'),
    'net-amount': part.amount('net amount'),
    'conversion-factor': part.amount('factor between the units'),
    tag: part.text('tag'),
  });
  const line = part.object('line', {
    number: part.text('line number'),
    identifier: part.text('article or service'),
    description: part.text('description of the article or service'),
    quantity: part.amount('quantity'),
    unit: part.text('unit of measure'),
    'unit-price': part.amount('price of one unit'),
    'net-amount': part.amount('net amount of the line'),
    'additional-dates': additionalDates(),
    'additional-identifiers': identifiers('further identifiers of the line'),
    taxes: part.list('taxes of the line', tax),
    discounts: discountsOrCharges('discounts on the line'),
    charges: discountsOrCharges('charges on the line'),
    'alternate-measures': part.list('the line in other units', measure),
    'additional-info': additionalInfo(),
  });
  return part.list('lines of the document', line);
}

/** Discounts and charges have one shape. */
function discountsOrCharges(says: string): z.ZodType {
  const entry = part.object('discount or charge', {
    amount: part.amount('amount'),
    percent: part.amount('percentage'),
    reason: reason(),
  });
  return part.list(says, entry);
}

/** A code, words, or both: EN 16931 asks for one of them. */
function reason(): z.ZodType {
  return part.object('reason', {
    identifier: part.text('code of the reason'),
    description: part.text('the reason in words'),
  });
}

/** Contains itself: a subtotal of taxes has one subtotal per rate. */
const subtotal: z.ZodType = z.lazy(() =>
  part.object('subtotal', {
    type: part.text('kind of subtotal; seen: lines-net-amount, tax'),
    class: part.text('class; seen: net, vat'),
    subtype: part.text('treatment of the tax'),
    percent: part.amount('rate in percent'),
    'taxable-amount': part.amount('amount that the tax is calculated on'),
    amount: part.amount('amount of the subtotal'),
    sign: part.text('sign; seen: positive'),
    'before-taxes': part.flag('true before taxes, false for taxes'),
    reason: reason(),
    subtotals: part.list('nested subtotals', part.textOr('name of a subtotal, or a subtotal', subtotal)),
    tag: part.text('tag'),
  }),
);

/** The final amount with taxes and the subtotals that explain it. */
export function totals(says: string): z.ZodType {
  return part.object(says, {
    'final-amount': part.amount('amount with taxes'),
    currency: part.text('currency of the amounts'),
    subtotals: part.list('subtotals', subtotal),
    'additional-info': additionalInfo(),
  });
}

/** Terms and means of payment, and other agreements. */
export function agreements(): z.ZodType {
  const mean = part.object('means of payment', {
    type: part.text('kind of means'),
    objects: businessObjects('accounts, cards and other objects of the means'),
  });
  const term = part.object('term of payment', {
    type: part.text('kind of term; seen: due-period'),
    duration: part.object('length of the term', {
      value: part.amount('how many units'),
      unit: part.text('unit of time'),
    }),
    percent: part.amount('share in percent'),
    amount: part.amount('amount due'),
    description: part.text('the term in words'),
    'date-due': part.day('due date'),
  });
  const agreement = part.object('agreement', {
    type: part.text('kind of agreement; seen: payment'),
    class: part.text('class'),
    identifier: part.text('identifier of the agreement'),
    name: part.text('name'),
    description: part.text('description'),
    amount: part.amount('amount'),
    currency: part.text('currency of the amount'),
    'additional-identifiers': identifiers('further identifiers of the agreement'),
    means: part.list('means of payment', mean),
    terms: part.list('terms of payment', term),
    references: references('documents the agreement refers to'),
    'additional-info': additionalInfo(),
  });
  return part.list('agreements, such as payment', agreement);
}
