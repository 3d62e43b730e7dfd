/** The issuer and its branch in the draft of a remission note: a person fills in what no export contains. */

import { FILL_IN } from '../../model/draft.ts';
import type { YamlWriter } from './yaml-writer.ts';

/** The block `emisor` for the branch with this code of the ERP. */
export function writeEmisor(yaml: YamlWriter, indent: number, code: string): void {
  const lines = [
    'tipoEstablecimiento: "02"',
    `nombreComercial: ${FILL_IN}`,
    'codEstableMH: M001',
    `codEstable: ${JSON.stringify(code)}`,
    'codPuntoVentaMH: P001',
    'codPuntoVenta: "1"',
    'nit: "00000000000000"',
    'nrc: "0000000"',
    `nombre: ${FILL_IN}`,
    `codActividad: ${FILL_IN}`,
    `descActividad: ${FILL_IN}`,
    'telefono: "00000000"',
    'correo: fill-in@example.invalid',
    `direccion: { departamento: ${FILL_IN}, municipio: ${FILL_IN}, complemento: ${FILL_IN} }`,
  ];
  for (const line of lines) yaml.put(indent, line);
}

/** A branch of the issuer as the receiver of goods. */
export function writeBranch(yaml: YamlWriter, indent: number): void {
  const lines = [
    'tipoDocumento: "36"',
    'numDocumento: "00000000000000"',
    'bienTitulo: "04"',
    'nrc: "0000000"',
    `nombre: ${FILL_IN}`,
    `codActividad: ${FILL_IN}`,
    `descActividad: ${FILL_IN}`,
    'correo: fill-in@example.invalid',
    `direccion: { departamento: ${FILL_IN}, municipio: ${FILL_IN}, complemento: ${FILL_IN} }`,
  ];
  for (const line of lines) yaml.put(indent, line);
}
