/** A Salvadoran remission note as its rules look at it. */
import type { Decimal } from '../../model/decimal.ts';
import type { Json, JsonObject } from '../../model/draft.ts';
import { dayAt, decimalAt, listAt, textAt, valueAt } from '../read.ts';
import type { Seen } from './pack.ts';

export type NoteView = Seen & {
  readonly payload: JsonObject;
  readonly emisor: Json | undefined;
  readonly receptor: Json | undefined;
  readonly resumen: Json | undefined;
  /** Of the receiver: 36 NIT, 13 DUI and others (catalogue CAT-022). */
  readonly tipoDocumento: string | undefined;
  readonly items: readonly ItemView[];
};

type ItemView = {
  readonly item: Json;
  readonly cantidad: Decimal | undefined;
  readonly precioUni: Decimal | undefined;
  readonly montoDescu: Decimal | undefined;
  readonly ventaNoSuj: Decimal | undefined;
  readonly ventaExenta: Decimal | undefined;
  readonly ventaGravada: Decimal | undefined;
};

export function viewNote(payload: JsonObject, _class: string, today: string): NoteView {
  return {
    payload,
    today,
    day: dayAt(payload, 'FechaGeneracion') ?? today,
    emisor: valueAt(payload, ['emisor']),
    receptor: valueAt(payload, ['receptor']),
    resumen: valueAt(payload, ['resumen']),
    tipoDocumento: textAt(payload, 'receptor', 'tipoDocumento'),
    items: listAt(payload, 'cuerpoDocumento').map(itemView),
  };
}

function itemView(item: Json): ItemView {
  return {
    item,
    cantidad: decimalAt(item, 'cantidad'),
    precioUni: decimalAt(item, 'precioUni'),
    montoDescu: decimalAt(item, 'montoDescu'),
    ventaNoSuj: decimalAt(item, 'ventaNoSuj'),
    ventaExenta: decimalAt(item, 'ventaExenta'),
    ventaGravada: decimalAt(item, 'ventaGravada'),
  };
}
