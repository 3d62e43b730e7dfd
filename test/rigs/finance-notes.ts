/** The Salvadoran export of the finance night: remission notes in UTF-8 with commas, as sv-remission-notes reads them. */
import type { Cause, Plan } from './finance-causes.ts';
import type { ExportFile } from './finance-exports.ts';
import type { Random } from './random.ts';

const COLUMNS =
  'Nota,Establecimiento,Caja,FechaHora,TipoDoc,NumDoc,Nrc,Receptor,CodActividad,Actividad,Correo,Depto,Municipio,' +
  'Direccion,BienTitulo,Linea,Codigo,Descripcion,Cantidad,Unidad,Precio,Descuento,Gravado,Total';

const PERSON = 'DUI,99900022-4,,María Ficticia de Prueba,10005,Otros,maria@ficticia.example,03,18,Barrio El Modelo,03';
const BOUTIQUE =
  'NIT,0210-030319-103-0,999003-3,Boutique Añil y Ñandú,47711,Venta al por menor de prendas de vestir,tienda@anil.example,05,25,"Pasaje Sin Nombre, #7",03';
const RECEIVERS: readonly string[] = [
  PERSON,
  BOUTIQUE,
  'NIT,0614-020218-102-1,999002-2,"Almacenes El Ejemplo, S.A. de C.V.",47711,Venta al por menor de prendas de vestir,compras@almacenes.example,02,15,"Avenida Imaginaria 3, local 9",03',
];
/** A note has the first one, two or three of these lines; the totals by their count. */
const LINES: readonly string[] = [
  '1,T-0012,"Tela de algodón, 1.5 m",12,YD,1.25,,S',
  '2,H-0450,"Hilo, cono 2,500 m",2.5,UND,3.3333,0.10,S',
  '3,Z-0001,Muestrario,10,UND,0.45,,N',
];
const TOTALS: readonly string[] = ['', '15.00', '23.23', '27.73'];

export function noteNumber(n: number): string {
  return String(n);
}

/** `day` as 2026-11-21: the notes follow each other by three minutes. */
export function exportNotes(
  random: Random,
  name: string,
  first: number,
  count: number,
  plan: Plan,
  day: string,
): ExportFile {
  const rows = Array.from({ length: count }, (_, n) => {
    const minutes = 8 * 60 + n * 3;
    const time = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
    const head = `${noteNumber(first + n)},SS01,1,${day} ${time}:00`;
    const cause = plan.get(n);
    const receiver = receiverOf(random, cause);
    const lines = 1 + random.below(3);
    return LINES.slice(0, lines).map((line) => {
      const written = cause === 'unit-bulto' ? line.replace(',YD,', ',BULTO,') : line;
      return `${head},${receiver},${written},${TOTALS[lines]}`;
    });
  });
  return { name, bytes: Buffer.from([COLUMNS, ...rows.flat(), ''].join('\n')) };
}

function receiverOf(random: Random, cause: Cause | undefined): string {
  const receiver = random.one(RECEIVERS);
  if (cause === 'dui-without-hyphen') return PERSON.replace('-', '');
  return cause === 'code-6' ? BOUTIQUE : receiver;
}
