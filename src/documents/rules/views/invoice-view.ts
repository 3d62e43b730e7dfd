/**
 * A French invoice as its rules look at it: every field they ask for, read once, and only when the first rule asks for
 * it. What is missing or of another type is undefined; the shape speaks about that.
 */
import type { Json, JsonObject } from '../../../model/draft.ts';
import type { Made } from '../../../model/rule.ts';
import { type Territory, territoryOf } from '../../code-lists/vat-territories.ts';
import { asText, dayAt, listAt, objectFields, textAt, valueAt } from '../../content/json-pointer.ts';
import type { ViewedDocument } from '../rule-pack.ts';
import { type HeaderView, headerView } from './header-view.ts';
import { LineView, type TaxView } from './line-view.ts';
import { type LongAmount, longAmountsIn } from './oversized-amounts.ts';
import { type Buyer, buyerOf, PartyView, type Typed } from './party-view.ts';
import { TotalsView } from './totals-view.ts';

/** A reference to the original invoice. */
export type ReferenceView = {
  /** "/references/0". */
  readonly at: string;
  readonly identifier: string | undefined;
  readonly date: string | undefined;
};

/** A note with its tag. */
type NoteView = { readonly tag: string | undefined; readonly content: string | undefined };

/** A place with its VAT territory. */
type Destination = {
  readonly territory: Territory;
  /** Its postal code, else its country. */
  readonly name: string;
};

/** An identifier whose value is there. */
type Given = Typed & { readonly value: string };

/** Identifiers of all parties that have a value, by their type. */
type Identifiers = { readonly [type in 'siren' | 'siret' | 'vat']: readonly Given[] };

/** Fields are read on the first access and kept: most rules of most documents need few of them. */
export class InvoiceView implements ViewedDocument {
  readonly payload: JsonObject;
  /** invoice, credit-note or corrective. */
  readonly class: string;
  readonly today: string;
  /** See Draft. */
  readonly isTaxFromGross: boolean;
  #header: HeaderView | undefined;
  #issuer: PartyView | undefined;
  #receiver: PartyView | undefined;
  #buyer: Buyer | undefined;
  #destination: Destination | undefined;
  #parties: readonly PartyView[] | undefined;
  #identifiers: Identifiers | undefined;
  #originals: readonly ReferenceView[] | undefined;
  #notes: readonly NoteView[] | undefined;
  #logistics: readonly Json[] | undefined;
  #agreements: readonly Json[] | undefined;
  #attachments: readonly Json[] | undefined;
  #lines: readonly LineView[] | undefined;
  #totals: TotalsView | undefined;
  #taxes: readonly TaxView[] | undefined;
  #longAmounts: readonly LongAmount[] | undefined;

  constructor(payload: JsonObject, documentClass: string, today: string, isTaxFromGross: boolean) {
    this.payload = payload;
    this.class = documentClass;
    this.today = today;
    this.isTaxFromGross = isTaxFromGross;
  }

  get header(): HeaderView {
    this.#header ??= headerView(this.payload);
    return this.#header;
  }

  /** The date of the document, else today: it decides which rules are in force. */
  get day(): string {
    return this.header.date ?? this.today;
  }

  get issuer(): PartyView {
    this.#issuer ??= new PartyView(valueAt(this.payload, ['issuer']), '/issuer');
    return this.#issuer;
  }

  get receiver(): PartyView {
    this.#receiver ??= new PartyView(valueAt(this.payload, ['receiver']), '/receiver');
    return this.#receiver;
  }

  /** Whether the document belongs to the domestic flow. */
  get buyer(): Buyer {
    this.#buyer ??= buyerOf(this.receiver, this.treatment);
    return this.#buyer;
  }

  /** Text of the first note BAR ("traitement"), by which an invoice says what flow it is for. */
  get treatment(): string | undefined {
    return this.notes.find(isTreatment)?.content?.trim();
  }

  /** Where the delivery goes, else the receiver is, else the issuer: what rates of VAT are usual there. */
  get destination(): Destination {
    this.#destination ??= destinationOf(this);
    return this.#destination;
  }

  /** Issuer, receiver and further parties. */
  get parties(): readonly PartyView[] {
    this.#parties ??= [
      this.issuer,
      this.receiver,
      ...listAt(this.payload, 'additional-parties').map((one, i) => new PartyView(one, `/additional-parties/${i}`)),
    ];
    return this.#parties;
  }

  /** SIREN, SIRET and VAT numbers of all parties. */
  get identifiers(): Identifiers {
    this.#identifiers ??= identifiersOf(this.parties);
    return this.#identifiers;
  }

  /** References of type original-invoice. */
  get originals(): readonly ReferenceView[] {
    this.#originals ??= listAt(this.payload, 'references').flatMap(original);
    return this.#originals;
  }

  get notes(): readonly NoteView[] {
    this.#notes ??= listAt(this.payload, 'notes').map(noteView);
    return this.#notes;
  }

  get logistics(): readonly Json[] {
    this.#logistics ??= listAt(this.payload, 'logistics');
    return this.#logistics;
  }

  get agreements(): readonly Json[] {
    this.#agreements ??= listAt(this.payload, 'agreements');
    return this.#agreements;
  }

  get attachments(): readonly Json[] {
    this.#attachments ??= listAt(this.payload, 'attachments');
    return this.#attachments;
  }

  get lines(): readonly LineView[] {
    this.#lines ??= listAt(this.payload, 'lines').map((line, i) => new LineView(line, i));
    return this.#lines;
  }

  get totals(): TotalsView {
    this.#totals ??= new TotalsView(this);
    return this.#totals;
  }

  /** The taxes of the lines, those of discounts and charges on the document, then those per rate in the totals. */
  get taxes(): readonly TaxView[] {
    this.#taxes ??= taxesOf(this.lines, this.totals);
    return this.#taxes;
  }

  /** Amounts that may be longer than their fields; nearly always empty. */
  get longAmounts(): readonly LongAmount[] {
    this.#longAmounts ??= longAmountsIn(this);
    return this.#longAmounts;
  }
}

/** `made`: facts from composing that the payload does not show, such as tax calculated from gross prices. */
export function viewInvoice(
  payload: JsonObject,
  documentClass: string,
  today: string,
  made: Made | undefined,
): InvoiceView {
  return new InvoiceView(payload, documentClass, today, made?.isTaxFromGross === true);
}

/** Empty for other types of reference. */
function original(one: Json, i: number): readonly ReferenceView[] {
  if (textAt(one, 'type') !== 'original-invoice') return [];
  return [{ at: `/references/${i}`, identifier: textAt(one, 'identifier'), date: dayAt(one, 'date') }];
}

function noteView(one: Json): NoteView {
  const { tag, content } = objectFields(one);
  return { tag: asText(tag), content: asText(content) };
}

/** Of a note that says what flow the document is for. */
export function isTreatment({ tag }: NoteView): boolean {
  return tag?.length === 3 && tag.toUpperCase() === 'BAR';
}

/** Loops instead of flatMap, because every document has its taxes checked. */
function taxesOf(lines: readonly LineView[], { others, perRate }: TotalsView): readonly TaxView[] {
  const found: TaxView[] = [];
  for (const { taxes } of lines) for (const tax of taxes) found.push(tax);
  for (const { nested } of others) for (const tax of nested) found.push(tax);
  for (const tax of perRate) found.push(tax);
  return found;
}

function identifiersOf(parties: readonly PartyView[]): Identifiers {
  const found = { siren: [] as Given[], siret: [] as Given[], vat: [] as Given[] };
  for (const { identifiers } of parties) {
    for (const one of identifiers) {
      const { type, value } = one;
      if (value !== undefined && (type === 'siren' || type === 'siret' || type === 'vat'))
        found[type].push(one as Given);
    }
  }
  return found;
}

/** The first of the three of which the place is known; the mainland where none is. */
function destinationOf({ logistics, receiver, issuer }: InvoiceView): Destination {
  for (const one of logistics) {
    if (textAt(one, 'type') !== 'delivery') continue;
    const [country, postalCode] = [textAt(one, 'address', 'country'), textAt(one, 'address', 'postal-code')?.trim()];
    const territory = territoryOf(country, postalCode);
    if (territory) return { territory, name: postalCode ?? country ?? '' };
  }
  for (const { country, postalCode } of [receiver, issuer]) {
    const territory = territoryOf(country, postalCode);
    if (territory) return { territory, name: postalCode ?? country ?? '' };
  }
  return { territory: 'mainland', name: 'FR' };
}
