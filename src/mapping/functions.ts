/**
 * What a formula may call. Each entry carries its own manual: syntax, a sentence, examples that run as tests.
 */
import type { FunctionEntry } from './function-entry.ts';
import { COUNTRY_FUNCTIONS } from './functions-country.ts';
import { DATE_FUNCTIONS } from './functions-date.ts';
import { FILE_FUNCTIONS } from './functions-file.ts';
import { LOGIC_FUNCTIONS } from './functions-logic.ts';
import { NUMBER_FUNCTIONS } from './functions-number.ts';
import { ROW_FUNCTIONS } from './functions-rows.ts';
import { TEXT_FUNCTIONS } from './functions-text.ts';

const ENTRIES: readonly FunctionEntry[] = [
  ...NUMBER_FUNCTIONS,
  ...ROW_FUNCTIONS,
  ...LOGIC_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...COUNTRY_FUNCTIONS,
  ...FILE_FUNCTIONS,
];

/** By name, in capitals, in the order of the manual. */
export const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** What a spreadsheet calls these functions, in English where it differs, in French and in Spanish: for suggestions. */
export const FOREIGN_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ROUND: 'ARRONDI REDONDEAR',
    SUM: 'SOMME SUMA',
    COUNT: 'NB NBVAL CONTAR CONTARA COUNTA',
    IF: 'SI',
    AND: 'ET Y',
    OR: 'OU O',
    NOT: 'NON NO',
    LEFT: 'GAUCHE IZQUIERDA',
    RIGHT: 'DROITE DERECHA',
    MID: 'STXT EXTRAE',
    LEN: 'NBCAR LARGO',
    TRIM: 'SUPPRESPACE ESPACIOS',
    UPPER: 'MAJUSCULE MAYUSC',
    LOWER: 'MINUSCULE MINUSC',
    PROPER: 'NOMPROPRE NOMPROPIO',
    REPLACE: 'SUBSTITUTE SUBSTITUE REMPLACER SUSTITUIR REEMPLAZAR',
    CONCAT: 'CONCATENATE CONCATENER CONCATENAR',
    TEXT: 'TEXTE TEXTO',
    NUMBER: 'VALUE CNUM VALOR',
    DATE: 'FECHA',
    DAYS: 'JOURS DIAS',
    YEAR: 'ANNEE AÑO',
    MONTH: 'MOIS MES',
    DAY: 'JOUR DIA',
    'MONTH-END': 'EOMONTH',
    TODAY: 'AUJOURDHUI HOY',
    IFEMPTY: 'ISBLANK ESTVIDE ESBLANCO',
  }).flatMap(([name, foreign]) => foreign.split(' ').map((other) => [other, name] as const)),
);
