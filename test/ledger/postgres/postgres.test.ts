import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { ledgerContract } from '../../contracts/ledger.ts';
import { openDriver, temporarySchema } from './schema.ts';

ledgerContract('PostgreSQL', {
  open: async (options) => {
    const place = await temporarySchema();
    const open = async () =>
      await createSqlLedger({ driver: await openDriver(place), guard: { send: true }, ...options });
    const ledger = await open();
    const reopen = async () => {
      await ledger[Symbol.asyncDispose]();
      return await open();
    };
    return { ledger, reopen };
  },
});
