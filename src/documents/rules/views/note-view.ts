/**
 * A Salvadoran remission note as its rules look at it: every field they ask for, read once. What is missing, blank or
 * of another type is undefined; the shape speaks about types.
 */
import type { Decimal } from '../../../model/decimal.ts';
import { type Json, type JsonObject, Numbering } from '../../../model/draft.ts';
import { dayAt, decimalAt, listAt, textAt, valueAt } from '../../content/json-pointer.ts';
import type { ViewedDocument } from '../rule-pack.ts';

/** The document for its rules. `day` decides which rules are in force; it is today if the note has no day. */
export type NoteView = ViewedDocument & {
  /** Pointers of text fields that are there and blank. */
  readonly blank: readonly string[];
  readonly emisor: NotePartyView<(typeof EMISOR)[number]>;
  readonly receptor: NotePartyView<(typeof RECEPTOR)[number]>;
  readonly items: readonly ItemView[];
  readonly resumen: SummaryView;
  readonly extension: Json | undefined;
  readonly currency: string | undefined;
  /** FechaGeneracion, as it is written. */
  readonly generated: string | undefined;
  readonly number: Decimal | undefined;
  /** The number comes from the ledger, which never gives one twice. */
  readonly isNumbered: boolean;
};

/** Text fields of both parties, then of each party alone. */
const PARTY = ['nrc', 'nombre', 'codActividad', 'descActividad', 'correo'] as const;
const CODES = ['codEstableMH', 'codEstable', 'codPuntoVentaMH', 'codPuntoVenta'] as const;
const EMISOR = ['nit', 'tipoEstablecimiento', 'nombreComercial', 'telefono', ...CODES, ...PARTY] as const;
const RECEPTOR = ['tipoDocumento', 'numDocumento', 'bienTitulo', ...PARTY] as const;
const ADDRESS = ['departamento', 'municipio', 'complemento'] as const;

/** Amounts of a line that the schema of the authority requires. */
export const ITEM_AMOUNTS = ['precioUni', 'montoDescu', 'ventaNoSuj', 'ventaExenta', 'ventaGravada'] as const;
const ITEM_TEXTS = ['codigo', 'descripcion'] as const;
const ITEM_NUMBERS = ['numItem', 'tipoItem', 'uniMedida', 'cantidad', ...ITEM_AMOUNTS] as const;

const CLASS_TOTALS = ['totalNoSuj', 'totalExenta', 'totalGravada', 'subTotalVentas'] as const;
const DISCOUNTS = ['descuNoSuj', 'descuExenta', 'descuGravada', 'totalDescu'] as const;
/** Amounts of the summary, in its order. */
export const TOTALS = [...CLASS_TOTALS, ...DISCOUNTS, 'subTotal', 'montoTotalOperacion'] as const;
const SUMMARY_NUMBERS = ['porcentajeDescuento', ...TOTALS] as const;

type Texts<Field extends string> = { readonly [field in Field]: string | undefined };
type Numbers<Field extends string> = { readonly [field in Field]: Decimal | undefined };

/** A block of the document that may be missing as a whole; `at` is its pointer. */
type Block = { readonly at: string; readonly isThere: boolean };

/** Issuer or receiver: its texts by field, and its address. */
export type NotePartyView<Field extends string = string> = Block & {
  readonly texts: Texts<Field>;
  readonly address: AddressView;
};

/** The address of a party; codes of CAT-012 and CAT-013. */
export type AddressView = Block & { readonly texts: Texts<(typeof ADDRESS)[number]> };

/** A line of the note; `at` is its pointer, such as "/cuerpoDocumento/0". */
export type ItemView = Numbers<(typeof ITEM_NUMBERS)[number]> & {
  readonly at: string;
  readonly texts: Texts<(typeof ITEM_TEXTS)[number]>;
  readonly tributos: readonly (string | undefined)[];
};

/** The summary with its amounts and taxes. */
type SummaryView = Block & {
  readonly amounts: Numbers<(typeof SUMMARY_NUMBERS)[number]>;
  readonly tributos: readonly TaxView[];
  readonly totalLetras: string | undefined;
};

/** A tax that the summary adds up (CAT-015). */
type TaxView = {
  readonly at: string;
  readonly codigo: string | undefined;
  readonly descripcion: string | undefined;
  readonly valor: Decimal | undefined;
};

/** A text of a party, and its pointer. */
export function partyField(
  { at, texts }: NotePartyView,
  name: string,
  visit: (text: string | undefined, at: () => string) => void,
): void {
  visit(texts[name], () => `${at}/${name}`);
}

/** Reads every field once. `today` is the calendar day in El Salvador. */
export function viewNote(payload: JsonObject, _class: string, today: string): NoteView {
  const items = listAt(payload, 'cuerpoDocumento');
  const blank: string[] = [];
  return {
    blank,
    today,
    day: dayAt(payload, 'FechaGeneracion') ?? today,
    emisor: partyView(valueAt(payload, ['emisor']), '/emisor', EMISOR, blank),
    receptor: partyView(valueAt(payload, ['receptor']), '/receptor', RECEPTOR, blank),
    items: items.map((item, i) => itemView(item, i, blank)),
    resumen: summaryView(valueAt(payload, ['resumen'])),
    extension: valueAt(payload, ['extension']),
    currency: textAt(payload, 'tipoMoneda'),
    generated: textAt(payload, 'FechaGeneracion'),
    number: decimalAt(payload, 'NumeroSecuencial'),
    isNumbered: valueAt(payload, ['NumeroSecuencial']) instanceof Numbering,
  };
}

function partyView<Field extends string>(
  party: Json | undefined,
  at: string,
  fields: readonly Field[],
  blank: string[],
): NotePartyView<Field> {
  const address = valueAt(party, ['direccion']);
  return {
    at,
    isThere: party !== undefined,
    texts: textsOf(party, at, fields, blank),
    address: {
      at: `${at}/direccion`,
      isThere: address !== undefined,
      texts: textsOf(address, `${at}/direccion`, ADDRESS, blank),
    },
  };
}

function itemView(item: Json, i: number, blank: string[]): ItemView {
  const at = `/cuerpoDocumento/${i}`;
  return {
    ...numbersOf(item, ITEM_NUMBERS),
    at,
    texts: textsOf(item, at, ITEM_TEXTS, blank),
    tributos: listAt(item, 'tributos').map((code) => textAt(code)),
  };
}

function summaryView(resumen: Json | undefined): SummaryView {
  return {
    at: '/resumen',
    isThere: resumen !== undefined,
    amounts: numbersOf(resumen, SUMMARY_NUMBERS),
    tributos: listAt(resumen, 'tributos').map((tax, i) => ({
      at: `/resumen/tributos/${i}`,
      codigo: textAt(tax, 'codigo'),
      descripcion: textAt(tax, 'descripcion'),
      valor: decimalAt(tax, 'valor'),
    })),
    totalLetras: textAt(resumen, 'totalLetras'),
  };
}

/** Adds the pointers of blank texts to `blank`: a blank text reads as missing, and one rule reports it. */
function textsOf<Field extends string>(
  block: Json | undefined,
  at: string,
  fields: readonly Field[],
  blank: string[],
): Texts<Field> {
  const texts: { [field in Field]?: string | undefined } = {};
  for (const field of fields) {
    texts[field] = textAt(block, field);
    if (texts[field] === undefined && typeof valueAt(block, [field]) === 'string') blank.push(`${at}/${field}`);
  }
  return texts as Texts<Field>;
}

function numbersOf<Field extends string>(block: Json | undefined, fields: readonly Field[]): Numbers<Field> {
  const numbers: { [field in Field]?: Decimal | undefined } = {};
  for (const field of fields) numbers[field] = decimalAt(block, field);
  return numbers as Numbers<Field>;
}
