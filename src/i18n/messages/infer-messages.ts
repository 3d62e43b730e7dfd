/** Generated from locales/<language>/infer.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CHECK_TEXT = {
  netDiffers: message<'column'>('check-text.netDiffers'),
  grossDiffers: message<'column'>('check-text.grossDiffers'),
  grossDiffersFromSum: message<'column'>('check-text.grossDiffersFromSum'),
  linesDiffer: message<'column'>('check-text.linesDiffer'),
  recordsNetDiffers: message<'name'>('check-text.recordsNetDiffers'),
  recordsTaxDiffers: message<'name'>('check-text.recordsTaxDiffers'),
  recordsGrossDiffers: message<'name'>('check-text.recordsGrossDiffers'),
  recordsRateDiffers: message<'name'>('check-text.recordsRateDiffers'),
  dueTooEarly: message('check-text.dueTooEarly'),
  paymentNegative: message('check-text.paymentNegative'),
  paidBack: message('check-text.paidBack'),
  noteDiffers: message<'column'>('check-text.noteDiffers'),
};
