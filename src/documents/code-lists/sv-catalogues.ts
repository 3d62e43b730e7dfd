/**
 * Catalogues of the Salvadoran tax authority as its system of electronic documents (version 1.1) has them, with the
 * names of the codes there. Read in two public transcriptions that agree.
 */
type Catalogue = { readonly name: string; readonly codes: ReadonlyMap<string, string> };

/** Type of establishment. Version 4 of the remission note has no field for it. Many public lists swap 01 and 02. */
export const ESTABLISHMENTS = catalogue('CAT-009', '01 sucursal, 02 casa matriz, 04 bodega, 07 patio, 20 otro');

/** Kind of a line. */
export const ITEM_KINDS = catalogue('CAT-011', '1 bienes, 2 servicios, 3 ambos, 4 otros tributos por ítem');

/** Unit of measure; the numbers left out were never given. */
export const SV_UNITS = catalogue(
  'CAT-014',
  `1 metro, 2 yarda, 6 milímetro, 9 kilómetro cuadrado, 10 hectárea, 13 metro cuadrado, 15 vara cuadrada,
  18 metro cúbico, 20 barril, 22 galón, 23 litro, 24 botella, 26 mililitro, 30 tonelada, 32 quintal, 33 arroba,
  34 kilogramo, 36 libra, 37 onza troy, 38 onza, 39 gramo, 40 miligramo, 42 megawatt, 43 kilowatt, 44 watt,
  45 megavoltio-amperio, 46 kilovoltio-amperio, 47 voltio-amperio, 49 gigawatt-hora, 50 megawatt-hora,
  51 kilowatt-hora, 52 watt-hora, 53 kilovoltio, 54 voltio, 55 millar, 56 medio millar, 57 ciento, 58 docena,
  59 unidad, 99 otra`,
);

/** Taxes that a line may name and the summary adds up: section 1 of the catalogue. */
export const LINE_TAXES = catalogue(
  'CAT-015',
  `20 IVA 13 %, C3 IVA exportaciones 0 %, 59 turismo por alojamiento, 71 turismo por salida, D1 FOVIAL, C8 COTRANS,
  D5 otras tasas, D4 otros impuestos`,
);

/** Identity document of the receiver. */
export const IDENTITY_DOCUMENTS = catalogue('CAT-022', '36 NIT, 13 DUI, 02 carnet de residente, 03 pasaporte, 37 otro');

/** Title under which goods travel. Some public lists differ ("01 venta"); these are the codes of the authority. */
export const TITLES = catalogue('CAT-025', '01 depósito, 02 propiedad, 03 consignación, 04 traslado, 05 otros');

function catalogue(name: string, text: string): Catalogue {
  const entries = text.split(',').map((entry) => {
    const [, code = '', said = ''] = /^(\w+) (.*)$/s.exec(entry.trim()) ?? [];
    return [code, said] as const;
  });
  return { name, codes: new Map(entries) };
}
