/**
 * Units of measure as ERPs abbreviate them, in UN/ECE Recommendation 20 and in the Salvadoran catalogue CAT-014.
 *
 * `sure`: has one meaning everywhere. `guessed`: means this in most exports and something else in others (ML is a linear
 * meter in one, a milliliter in the next): good for a draft that a person reads, never for a document.
 */
type Known = {
  readonly sure: string;
  readonly guessed?: string;
  readonly rec20: string;
  /** The catalogue has no code for it where this is absent. */
  readonly cat014?: number;
};

const UNITS: readonly Known[] = [
  {
    sure: 'C62 PCE PC PCS PIECE PIECES UN UNI UNIT UNITE UNITES UNITS UNIDAD UNIDADES UND UNID STK STUECK',
    guessed: 'P U ST QTE NB',
    rec20: 'C62',
    cat014: 59,
  },
  { sure: 'EA EACH', rec20: 'EA', cat014: 59 },
  { sure: 'H87', rec20: 'H87', cat014: 59 },
  { sure: 'MTR M METRE METRES METER METERS METRO METROS MT MTS', guessed: 'ML', rec20: 'MTR', cat014: 1 },
  { sure: 'MMT MM', rec20: 'MMT', cat014: 6 },
  { sure: 'CMT CM', rec20: 'CMT' },
  { sure: 'KMT KM', rec20: 'KMT' },
  { sure: 'YRD YD YARDA YARDAS YARD YARDS', rec20: 'YRD', cat014: 2 },
  { sure: 'MTK M2', guessed: 'MQ', rec20: 'MTK', cat014: 13 },
  { sure: 'KMK KM2', rec20: 'KMK', cat014: 9 },
  { sure: 'HAR HECTARE HECTARES HECTAREA HECTAREAS', guessed: 'HA', rec20: 'HAR', cat014: 10 },
  { sure: 'MTQ M3', rec20: 'MTQ', cat014: 18 },
  { sure: 'BLL BARRIL BARRILES BARIL', rec20: 'BLL', cat014: 20 },
  { sure: 'GLL GAL GALON GALONES GALLON GALLONS', rec20: 'GLL', cat014: 22 },
  { sure: 'LTR L LT LITRE LITRES LITER LITERS LITRO LITROS', rec20: 'LTR', cat014: 23 },
  { sure: 'MLT MILLILITRE MILLILITRES MILILITRO MILILITROS', rec20: 'MLT', cat014: 26 },
  { sure: 'TNE TONNE TONNES TONELADA TONELADAS', guessed: 'T TO TN', rec20: 'TNE', cat014: 30 },
  { sure: 'KGM KG KGS KILO KILOS KILOGRAMME KILOGRAMMES KILOGRAMO KILOGRAMOS', rec20: 'KGM', cat014: 34 },
  { sure: 'LBR LB LBS LIBRA LIBRAS', rec20: 'LBR', cat014: 36 },
  { sure: 'ONZ OZ ONZA ONZAS ONCE ONCES', rec20: 'ONZ', cat014: 38 },
  { sure: 'GRM G GR GRAMME GRAMMES GRAMO GRAMOS', rec20: 'GRM', cat014: 39 },
  { sure: 'MGM MG', rec20: 'MGM', cat014: 40 },
  { sure: 'KWT KW', rec20: 'KWT', cat014: 43 },
  { sure: 'WTT', rec20: 'WTT', cat014: 44 },
  { sure: 'KVA', rec20: 'KVA', cat014: 46 },
  { sure: 'MWH', rec20: 'MWH', cat014: 50 },
  { sure: 'KWH', rec20: 'KWH', cat014: 51 },
  { sure: 'WHR', rec20: 'WHR', cat014: 52 },
  { sure: 'MIL MILLIER MILLIERS MILLAR MILLARES', rec20: 'MIL', cat014: 55 },
  { sure: 'CEN CIENTO CIENTOS', rec20: 'CEN', cat014: 57 },
  { sure: 'DZN DZ DOUZAINE DOUZAINES DOCENA DOCENAS DOZEN', guessed: 'DOC', rec20: 'DZN', cat014: 58 },
  { sure: 'HUR H HR HRE HEURE HEURES HOUR HOURS HORA HORAS', rec20: 'HUR' },
  { sure: 'MIN MINUTE MINUTES MINUTO MINUTOS', rec20: 'MIN' },
  { sure: 'DAY DAYS JOUR JOURS DIA DIAS', guessed: 'J JR D', rec20: 'DAY' },
  { sure: 'MON MOIS MONTH MONTHS', guessed: 'MES', rec20: 'MON' },
  { sure: 'LS FORFAIT', guessed: 'FOR FORF FF FFT ENS SERV SERVICIO', rec20: 'LS' },
  { sure: 'XBX BOITE BOITES BOX CAJA CAJAS', guessed: 'BTE BX CJ CAR CARTON CT', rec20: 'XBX' },
  { sure: 'XPX PALETTE PALETTES PALLET', guessed: 'PAL', rec20: 'XPX' },
  { sure: 'SET', guessed: 'PAQ PAQUET PACK PK PAQUETE LOT', rec20: 'SET' },
  { sure: 'XRO ROULEAU ROULEAUX ROLLO ROLLOS', guessed: 'ROL RL', rec20: 'XRO' },
];

export type Unit = { readonly rec20: string; readonly cat014: number | undefined };

const SURE = byWord(({ sure }) => sure);
const ALL = new Map([...byWord(({ guessed = '' }) => guessed), ...SURE]);

/** The unit with this one meaning: an abbreviation or a code of Rec 20; capitals, accents, dots and blanks do not count. */
export function unitOf(abbreviation: string): Unit | undefined {
  return SURE.get(plain(abbreviation));
}

/** The most likely unit: for drafts. */
export function likelyUnitOf(abbreviation: string): Unit | undefined {
  return ALL.get(plain(abbreviation));
}

function byWord(wordsOf: (unit: Known) => string): ReadonlyMap<string, Unit> {
  return new Map(
    UNITS.flatMap((unit) =>
      wordsOf(unit)
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => [word, { rec20: unit.rec20, cat014: unit.cat014 }] as const),
    ),
  );
}

function plain(abbreviation: string): string {
  return abbreviation
    .normalize('NFD')
    .replace(/[\p{M}.\s]/gu, '')
    .toUpperCase()
    .replace('²', '2')
    .replace('³', '3');
}
