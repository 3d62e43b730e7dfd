/** Units of measure as ERPs abbreviate them, in UN/ECE Recommendation 20 and in the Salvadoran catalogue CAT-014. */
const UNITS: readonly (readonly [words: string, rec20: string, cat014: number])[] = [
  [
    'PCE PC PCS PIECE PIECES P U UN UNI UNIT UNITE UNITES UNITS UNIDAD UNIDADES UND UNID EA EACH ST STK STUECK C62 H87 QTE NB',
    'C62',
    59,
  ],
  ['M ML MTR METRE METRES METER METRO METROS MT MTS', 'MTR', 1],
  ['M2 MTK MQ', 'MTK', 13],
  ['M3 MTQ', 'MTQ', 18],
  ['KG KGM KGS KILO KILOS KILOGRAMME KILOGRAMO', 'KGM', 34],
  ['G GR GRM GRAMME GRAMO', 'GRM', 39],
  ['T TO TN TNE TONNE TONNES TONELADA', 'TNE', 30],
  ['L LT LTR LITRE LITRES LITRO LITROS', 'LTR', 23],
  ['H HR HUR HEURE HEURES HOUR HOURS HORA HORAS HRE', 'HUR', 99],
  ['J JR DAY DAYS JOUR JOURS DIA DIAS D', 'DAY', 99],
  ['MOIS MON MONTH MES', 'MON', 99],
  ['FOR FORF FORFAIT FF FFT LS ENS SERV SERVICIO', 'LS', 99],
  ['DZ DZN DOUZAINE DOC DOCENA', 'DZN', 58],
  ['KWH', 'KWH', 51],
  ['YD YRD YARDA YARD', 'YRD', 2],
  ['LB LBR LIBRA LBS', 'LBR', 36],
  ['BTE BX BOX BOITE CAJA CJ CAR CARTON CT', 'XBX', 99],
  ['PAL PALETTE PALLET', 'XPX', 99],
  ['PAQ PAQUET PACK PK PAQUETE LOT SET', 'SET', 99],
  ['ROL ROULEAU ROLLO RL', 'XRO', 99],
];

/** Undefined for an abbreviation that is not known. */
export function unitOf(abbreviation: string): { readonly rec20: string; readonly cat014: number } | undefined {
  const plain = abbreviation
    .normalize('NFD')
    .replace(/[\p{M}.\s]/gu, '')
    .toUpperCase()
    .replace('²', '2')
    .replace('³', '3');
  const found = UNITS.find(([words]) => words.split(' ').includes(plain));
  return found && { rec20: found[1], cat014: found[2] };
}
