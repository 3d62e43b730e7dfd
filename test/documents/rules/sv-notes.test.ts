/** Whole remission notes under the rules: the shipped samples, the four ways to show amounts, a number still to come. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDocument } from '../../../src/documents/check-document.ts';
import { svRemissionNote } from '../../../src/documents/sv/sv-remission-note.ts';
import { type JsonObject, Numbering } from '../../../src/model/draft.ts';
import { showFault } from '../../../src/model/fault.ts';
import type { ProfileName } from '../../../src/model/rule.ts';
import { exactJson, wireDraft, wirePayload } from '../../make.ts';
import { REPOSITORY } from '../../samples/instance.ts';

const PROFILES = ['sv-nr-v3', 'sv-nr-v4'] as const;
const SAMPLES = ['sv-remission-notes', 'sv-transfers'].flatMap((sample) => {
  const folder = join(REPOSITORY, 'samples', sample, 'expect');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => [`${sample}/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
});

/** What is said of the note on its own day. */
function told(payload: JsonObject, profile: ProfileName): readonly string[] {
  const today = String(payload.FechaGeneracion).slice(0, 10);
  const kind = { ...svRemissionNote, rules: svRemissionNote.rules.under({ profile }) };
  const outcome = checkDocument(wireDraft('remission-note', { payload, neverTwice: ['1'] }), kind, { today });
  return ('document' in outcome ? outcome.document.warnings : outcome.faults).map(showFault);
}

function note(changes: { readonly [block: string]: object | string | number }): JsonObject {
  const payload = JSON.parse(JSON.stringify(wirePayload('remission-note'))) as { [block: string]: object };
  for (const [block, change] of Object.entries(changes)) {
    payload[block] = (
      typeof change === 'object' && !Array.isArray(change) ? { ...payload[block], ...change } : change
    ) as object;
  }
  return exactJson(JSON.stringify(payload)) as JsonObject;
}

test.each(PROFILES.flatMap((profile) => SAMPLES.map(([name, text]) => [name, profile, text] as const)))(
  'samples/%s is clean under %s',
  (_name, profile, text) => {
    expect(told(exactJson(text) as JsonObject, profile)).toEqual([]);
  },
);

const LINE = {
  ...{ numItem: 1, tipoItem: 1, descripcion: 'Tela', cantidad: 12, uniMedida: 2, precioUni: 1.25, montoDescu: 0 },
  ...{ ventaNoSuj: 0, ventaExenta: 0, ventaGravada: 0 },
};
const ZERO = {
  ...{ porcentajeDescuento: 0, totalNoSuj: 0, totalExenta: 0, totalGravada: 0, subTotalVentas: 0, descuNoSuj: 0 },
  ...{ descuExenta: 0, descuGravada: 0, totalDescu: 0, subTotal: 0, montoTotalOperacion: 0, tributos: [] },
  totalLetras: 'CERO 00/100 DÓLARES',
};
const FIFTEEN = { subTotalVentas: 15, subTotal: 15, montoTotalOperacion: 15, totalLetras: 'QUINCE 00/100 DÓLARES' };
const IVA = { codigo: '20', descripcion: 'Impuesto al Valor Agregado 13%', valor: 1.95 };
const TAXED = { ...LINE, ventaGravada: 15, tributos: ['20'] };
const WITH_VAT = { montoTotalOperacion: 16.95, totalLetras: 'DIECISÉIS 95/100 DÓLARES', tributos: [IVA] };

test.each([
  ['A, taxed', [TAXED], { ...FIFTEEN, totalGravada: 15 }],
  ['B, with VAT in the total', [TAXED], { ...FIFTEEN, totalGravada: 15, ...WITH_VAT }],
  ['C, not subject to tax', [{ ...LINE, ventaNoSuj: 15 }], { ...FIFTEEN, totalNoSuj: 15 }],
  ['D, without amounts', [LINE], {}],
])('%s: each way by itself is clean', (_name, cuerpoDocumento, resumen) => {
  for (const profile of PROFILES) {
    expect(told(note({ cuerpoDocumento, resumen: { ...ZERO, ...resumen } }), profile)).toEqual([]);
  }
});

test('a number that the ledger will give is no fault', () => {
  const numbering = new Numbering('remission-notes', ['SS01'], 'number');
  expect(told({ ...wirePayload('remission-note'), NumeroSecuencial: numbering }, 'sv-nr-v3')).toEqual([]);
});

test('what the contract has no field for is refused as unknown, not sent', () => {
  const direccion = { departamento: '06', municipio: '23', distrito: '01', complemento: 'Calle 1' };
  for (const payload of [note({ emisor: { direccion } }), note({ documentoRelacionado: [] })]) {
    expect(told(payload, 'sv-nr-v4').join()).toContain('sv-remission-note/unknown-field');
  }
});

test('a block that is missing is one fault', () => {
  const { receptor: _, ...rest } = wirePayload('remission-note');
  const faults = told(rest as JsonObject, 'sv-nr-v3').filter((line) => line.includes('receptor'));
  expect(faults).toEqual([expect.stringContaining('receptor is missing')]);
});

test('the municipality is judged with its department, by the day of the note', () => {
  const at = (departamento: string, municipio: string, FechaGeneracion: string) =>
    told(note({ receptor: { direccion: { departamento, municipio, complemento: 'x' } }, FechaGeneracion }), 'sv-nr-v3')
      .filter((line) => line.includes('/receptor/'))
      .map((line) => /(?:unknown|former)-municipality/.exec(line)?.[0])
      .filter((code) => code !== undefined);
  const [before, after] = ['2024-04-30T10:00:00', '2024-05-01T10:00:00'];
  expect(at('06', '14', before)).toEqual([]);
  expect(at('06', '20', before)).toEqual(['unknown-municipality']);
  expect(at('06', '14', after)).toEqual(['former-municipality']);
  expect(at('06', '20', after)).toEqual([]);
  expect(at('01', '20', after)).toEqual(['unknown-municipality']);
});

test('a zero is offered to a municipality only where that makes one of its department', () => {
  const offered = (municipio: string, FechaGeneracion: string) => {
    const receptor = { direccion: { departamento: '06', municipio, complemento: 'x' } };
    return told(note({ receptor, FechaGeneracion }), 'sv-nr-v3').find(
      (line) => line.includes('unknown-municipality') && line.includes('/receptor'),
    );
  };
  expect(offered('1', '2024-04-30T10:00:00')).toContain('write 01; ');
  expect(offered('0', '2024-04-30T10:00:00')).not.toContain('write');
  expect(offered('1', '2026-11-20T10:00:00')).not.toContain('write');
});
