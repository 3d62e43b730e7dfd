/** Remission notes that the ledger numbers, so that the number of the ERP is another one. */

export const NOTES_MAPPING = `
mapping: notes
version: 1
target: sv-remission-note
accepts: { files: "notas*.csv" }
source:
  format: csv
  delimiter: ";"
  columns: { Linea: number, Cantidad: number, Precio: number }
calculated-columns:
  venta: = ROUND($Cantidad * $Precio, 2)
documents: { one-per: [Nota], never-twice: [Nota] }
output:
  emisor: { nit: "06142803901121", nombre: Ejemplo SA de CV, codEstable: M001, codPuntoVenta: P001 }
  receptor: { nombre: $Cliente, bienTitulo: "04" }
  cuerpoDocumento:
    each: row
    make: { numItem: $Linea, descripcion: $Articulo, cantidad: $Cantidad, uniMedida: 59, precioUni: $Precio, ventaGravada: $venta }
  resumen: { montoTotalOperacion: = SUM($venta), totalLetras: "= AMOUNT-IN-WORDS(@montoTotalOperacion, \\"es\\")" }
  FechaGeneracion: = TODAY() & "T08:00:00"
  NumeroSecuencial: { sequence: notes }
  tipoMoneda: USD
`;

/** An export with these notes, one line each. */
export function notes(...numbers: readonly string[]): string {
  const rows = numbers.map((number) => `${number};Cliente;1;Caja;2;3.50`);
  return ['Nota;Cliente;Linea;Articulo;Cantidad;Precio', ...rows, ''].join('\n');
}
