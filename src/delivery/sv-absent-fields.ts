/**
 * Fields of a remission note that are absent, sent as null: the authority's schema (fe-nr-v3) requires them to be present
 * and lets them be null. The contract shows neither, so that a setting decides (services.sv.absent).
 *
 * The text of the ledger stays as it is; each number goes on with the digits that are written there.
 */

/** The nullable fields of fe-nr-v3 that the contract (remission-note 2) has too. */
const NULLABLE = {
  note: ['extension'],
  emisor: ['nombreComercial', 'codEstableMH', 'codEstable', 'codPuntoVentaMH', 'codPuntoVenta'],
  receptor: ['nrc', 'codActividad', 'descActividad'],
  item: ['codigo', 'tributos'],
  resumen: ['porcentajeDescuento', 'tributos'],
} as const;

/** Lists that fe-nr-v3 wants with an entry at least (minItems 1), else null. */
const NEVER_EMPTY = 'tributos';

type Block = { [field: string]: unknown };
/** JSON.rawJSON and the source of a number (ECMAScript 2026), which the type library does not know yet. */
type RawJson = { readonly rawJSON: (text: string) => unknown };
type Revive = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** The JSON text of a note, with null in place of what is absent. */
export function withNulls(content: string): string {
  const toTheDigit: Revive = (_key, value, { source }) =>
    typeof value === 'number' ? (JSON as unknown as RawJson).rawJSON(source ?? String(value)) : value;
  const note = JSON.parse(content, toTheDigit as (key: string, value: unknown) => unknown) as Block;
  fill(note, NULLABLE.note);
  fill(note.emisor, NULLABLE.emisor);
  fill(note.receptor, NULLABLE.receptor);
  fill(note.resumen, NULLABLE.resumen);
  if (Array.isArray(note.cuerpoDocumento)) for (const item of note.cuerpoDocumento) fill(item, NULLABLE.item);
  return JSON.stringify(note);
}

function fill(block: unknown, fields: readonly string[]): void {
  if (typeof block !== 'object' || block === null) return;
  for (const field of fields) {
    const value = (block as Block)[field];
    const isEmpty = field === NEVER_EMPTY && Array.isArray(value) && value.length === 0;
    if (value === undefined || isEmpty) (block as Block)[field] = null;
  }
}
