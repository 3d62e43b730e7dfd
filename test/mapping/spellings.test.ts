import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../src/mapping/functions/functions.ts';
import { functionNear, functionSpelled, spellingsOf } from '../../src/mapping/functions/localized-names.ts';
import { problemOf, runFormula } from './run-formula.ts';

const columns = { Qte: [12.5, 7], PU: [8.4, 3.335], Code: ['  rue  a ', 'b'] };

describe('formulas as a French or Spanish spreadsheet has them', () => {
  it.each([
    ['ARRONDI($Qte*$PU;2)', '105'],
    ['ARRONDI.SUP(2,341;2)', 'FAILED'],
    ['ARRONDI.SUP(2.341;2)', '2.35'],
    ['ARRONDI.INF(2.349;2)', '2.34'],
    ['SOMME(ARRONDI($Qte*$PU;2))', '128.35'],
    ['SUMA(REDONDEAR($Qte*$PU;2))', '128.35'],
    ['REDONDEAR.MÁS(2.341;2)', '2.35'],
    ['NB($Qte)', '2'],
    ['NBVAL($Code)', '2'],
    ['CONTAR.($Code)', 'FAILED'],
    ['CONTARA($Code)', '2'],
    ['SI(ET($Qte>1;OU(FAUX;VRAI));"oui";"non")', 'oui'],
    ['SI(Y($Qte>1;O(FALSO;VERDADERO));"si";"no")', 'si'],
    ['NON(VRAI)', 'FALSE'],
    ['NO(falso)', 'TRUE'],
    ['GAUCHE("abc";2)&DROITE("abc";1)&STXT("abc";2;1)', 'abcb'],
    ['IZQUIERDA("abc";2)&DERECHA("abc";1)&EXTRAE("abc";2;1)', 'abcb'],
    ['NBCAR(SUPPRESPACE($Code))', '5'],
    ['LARGO(ESPACIOS($Code))', '5'],
    ['MAJUSCULE("é")&MINUSCULE("É")&NOMPROPRE("aa bb")', 'ÉéAa Bb'],
    ['MAYUSC("é")&MINUSC("É")&NOMPROPIO("aa bb")', 'ÉéAa Bb'],
    ['SUBSTITUE("1.2";".";"")&SUSTITUIR("1.2";".";"")', '1212'],
    ['CONCATENER("a";1)&CONCATÉNER("b";2)&CONCATENAR("c";3)', 'a1b2c3'],
    ['TEXTE(1234.5;"# ##0,00")&TEXTO(1;"00")', '1 234,5001'],
    ['CNUM("12,5";",")+VALOR("1")', '13.5'],
    ['FECHA(2026;9;5)', '2026-09-05'],
    ['JOURS("2026-10-05";"2026-09-05")+DIAS("2026-10-05";"2026-10-04")+DÍAS("2026-10-05";"2026-10-04")', '32'],
    ['MOIS.DECALER("2026-01-31";1)&FECHA.MES("2026-01-31";1)', '2026-02-282026-02-28'],
    ['FIN.MOIS("2026-01-31";1)&FIN.MES("2026-01-31";1)', '2026-02-282026-02-28'],
    ['ANNÉE("2026-01-31")&AÑO("2026-01-31")&mois("2026-01-31")&Mes("2026-01-31")', '2026202611'],
    ['AUJOURDHUI()&HOY()', '2026-09-052026-09-05'],
  ])('%s', (formula, gives) => {
    expect(runFormula(formula, { columns, row: 1 }).value ?? 'FAILED').toBe(gives);
  });

  it('uses a name of two languages for one function only', () => {
    const names = [...FUNCTIONS.keys()].flatMap((name) => spellingsOf(name).map((other) => [other, name] as const));
    expect(names.length).toBeGreaterThan(50);
    for (const [other, name] of names) expect([other, functionSpelled(other)]).toEqual([other, name]);
    expect(names.filter(([other]) => FUNCTIONS.has(other))).toEqual([]);
  });

  it('suggests a function with other arguments, and does not use it in its place', () => {
    for (const name of ['REMPLACER', 'ESTVIDE', 'SIERREUR', 'DATEVAL', 'HALLAR']) {
      expect(functionSpelled(name)).toBeUndefined();
      expect(FUNCTIONS.has(functionNear(name)!)).toBe(true);
      expect(problemOf(`${name}("a")`)).toContain('did you mean');
    }
  });

  it('finds a slip in a foreign name', () => {
    expect(problemOf('ARONDI(1)')).toContain('did you mean ROUND(number, decimals)?');
  });
});
