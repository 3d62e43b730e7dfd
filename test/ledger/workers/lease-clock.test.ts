/** A worker believes in its lease only as long as both clocks allow it. */
import { expect, test } from 'vitest';
import { createLeaseClock } from '../../../src/ledger/workers/lease-clock.ts';

const at = (monotonic: number, wall = monotonic) => ({ monotonic, wall });

test('the lease holds for nine tenths of it since the last renewal was sent', () => {
  const lease = createLeaseClock(1000, at(0));
  expect(lease.holds(at(899))).toBe(true);
  lease.renewed(at(850));
  expect(lease.holds(at(1749))).toBe(true);
  expect(lease.holds(at(1750))).toBe(false);
});

test('once lost it stays lost: a renewal that is answered late does not bring it back', () => {
  const lease = createLeaseClock(1000, at(0));
  expect(lease.holds(at(900))).toBe(false);
  lease.renewed(at(800));
  expect(lease.holds(at(801))).toBe(false);
  const late = createLeaseClock(1000, at(0));
  late.renewed(at(950));
  expect(late.holds(at(951))).toBe(false);
});

test('a machine that slept shows it on the wall clock alone', () => {
  const lease = createLeaseClock(1000, at(0, 0));
  expect(lease.holds(at(10, 5000))).toBe(false);
});

test('a wall clock that is a day off, or is set back, changes nothing', () => {
  const lease = createLeaseClock(1000, at(0, -86_400_000));
  expect(lease.holds(at(500, -86_399_500))).toBe(true);
  expect(lease.holds(at(600, -90_000_000))).toBe(true);
  expect(lease.holds(at(900, -90_000_000))).toBe(false);
});
