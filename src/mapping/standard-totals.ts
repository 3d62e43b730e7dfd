/**
 * `totals: { standard: { net: $net, rate: $rate } }` written out: net of the lines, tax per rate, and their sum.
 *
 * The blocks are the very ones a consultant would write; nothing is computed here. VAT is rounded per rate on the sum
 * of the rounded line nets (EN 16931 BR-CO-17), which the three arithmetic regimes of the tax side accept.
 */
import { type Findings, hintOf } from './findings.ts';
import { bareColumn } from './forms.ts';
import type { Spot } from './outline.ts';

const KEYS = ['net', 'rate', 'currency', 'tax-type', 'subtype'];

export function standardTotals(findings: Findings, block: { standard: unknown }, spot: Spot): object | undefined {
  const path = [...spot.path, 'standard'];
  const others = Object.keys(block).filter((key) => key !== 'standard');
  const given = block.standard;
  if (others.length > 0 || typeof given !== 'object' || given === null || Array.isArray(given)) {
    findings.add(path, {
      code: 'map/wrong-value',
      message: 'standard: stands alone and takes { net: $Column, rate: $Column }',
      hint: 'to add fields of your own, write the blocks out instead',
    });
    return undefined;
  }
  for (const key of Object.keys(given).filter((key) => !KEYS.includes(key))) {
    findings.add([...path, key], {
      code: 'map/unknown-key',
      message: `unknown key "${key}"`,
      hint: hintOf(key, KEYS),
      key: true,
    });
  }
  const values = given as { readonly [key: string]: unknown };
  const net = asOperand(values.net);
  const rate = typeof values.rate === 'string' ? bareColumn(values.rate) : undefined;
  if (net === undefined) {
    findings.add([...path, 'net'], { code: 'map/wrong-value', message: 'net: is a $Column or a formula per line' });
  }
  if (rate === undefined) {
    findings.add([...path, 'rate'], {
      code: 'map/wrong-value',
      message: 'rate: is a $Column',
      hint: 'compute it under calculated-columns and name that column',
    });
  }
  return net === undefined || rate === undefined ? undefined : writtenOut(net, rate, values);
}

function asOperand(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('=')) return value.slice(1).trim();
  return bareColumn(value) === undefined ? undefined : value;
}

function writtenOut(net: string, rate: string, given: { readonly [key: string]: unknown }): object {
  const { currency = '= @document.currency', 'tax-type': taxType = 'vat', subtype = 'standard' } = given;
  const column = `$[${rate.replaceAll(']', ']]')}]`;
  return {
    'final-amount': '= SUM(@subtotals.amount)',
    currency,
    subtotals: [
      { type: 'lines-net-amount', class: 'net', 'before-taxes': true, sign: 'positive', amount: `= SUM(${net})` },
      {
        type: 'tax',
        class: taxType,
        'before-taxes': false,
        sign: 'positive',
        amount: '= SUM(@subtotals.amount)',
        subtotals: {
          each: `rows by ${rate}`,
          make: {
            type: 'tax',
            class: taxType,
            subtype,
            percent: column,
            'taxable-amount': `= SUM(${net})`,
            amount: `= ROUND(SUM(${net}) * ${column} / 100, 2)`,
          },
        },
      },
    ],
  };
}
