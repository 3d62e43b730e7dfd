import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import { ledgerContract } from '../contracts/ledger.ts';
import { BINDING, temporaryFolder } from './folder.ts';

ledgerContract('SQLite', {
  open: async (options) => {
    const place = { folder: temporaryFolder(), binding: BINDING, ...options };
    await initLedger(place);
    const ledger = await openLedger(place);
    const reopen = async () => {
      await ledger[Symbol.asyncDispose]();
      return await openLedger(place);
    };
    return { ledger, reopen };
  },
});
