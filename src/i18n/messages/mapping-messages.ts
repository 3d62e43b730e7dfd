/** Generated from locales/<language>/mapping.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CORRECT = {
  exportAgain: message('correct.exportAgain'),
  write: message<'suggestion'>('correct.write'),
  writeElse: message<'otherwise' | 'suggestion'>('correct.writeElse'),
  cellOrType: message('correct.cellOrType'),
};

export const NUMBERS = {
  damaged: message<'text'>('numbers.damaged'),
  no: message<'text'>('numbers.no'),
  otherMark: message<'mark' | 'text'>('numbers.otherMark'),
  digitsAlone: message<'places' | 'text'>('numbers.digitsAlone'),
  addThousands: message<'mark'>('numbers.addThousands'),
  cellOrMark: message('numbers.cellOrMark'),
  stranger: message<'character'>('numbers.stranger'),
  currency: message<'character'>('numbers.currency'),
  otherCurrency: message<'character' | 'sign'>('numbers.otherCurrency'),
};

export const DATES = {
  impossible: message<'text' | 'why'>('dates.impossible'),
  year: message<'first' | 'last' | 'year'>('dates.year'),
  month: message<'month'>('dates.month'),
  day: message<'day' | 'month'>('dates.day'),
  time: message('dates.time'),
  otherPattern: message<'pattern' | 'text'>('dates.otherPattern'),
  noSerial: message<'text'>('dates.noSerial'),
  serialOf: message<'suggestion'>('dates.serialOf'),
  serial: message('dates.serial'),
};

export const FORMS = {
  digits: message<'count'>('forms.digits'),
  someDigits: message<'least' | 'most'>('forms.someDigits'),
  lostZeros: message<'count' | 'text' | 'wanted'>('forms.lostZeros'),
  restoreCell: message('forms.restoreCell'),
  writeAndFormat: message<'suggestion'>('forms.writeAndFormat'),
  notDigits: message<'text' | 'wanted'>('forms.notDigits'),
  noVat: message<'text'>('forms.noVat'),
  noDui: message<'text'>('forms.noDui'),
  damagedDigits: message<'text' | 'wanted'>('forms.damagedDigits'),
  damagedVat: message<'text'>('forms.damagedVat'),
  damagedDui: message<'text'>('forms.damagedDui'),
};

export const TABLES = {
  notIn: message<'given' | 'known' | 'table'>('tables.notIn'),
  codes: message<'count'>('tables.codes'),
  cellOrTable: message('tables.cellOrTable'),
  noSuchClass: message('tables.noSuchClass'),
  meant: message<'near'>('tables.meant'),
  noDate: message<'given' | 'table'>('tables.noDate'),
  notThen: message<'day' | 'given' | 'periods' | 'table'>('tables.notThen'),
  dateOrRow: message('tables.dateOrRow'),
};

export const FIELDS = {
  notWhole: message<'given' | 'name'>('fields.notWhole'),
  roundIt: message('fields.roundIt'),
  notTrueOrFalse: message<'given' | 'name'>('fields.notTrueOrFalse'),
  writeTruth: message('fields.writeTruth'),
  notAText: message<'given' | 'name'>('fields.notAText'),
  chooseText: message('fields.chooseText'),
  textInNumber: message<'name'>('fields.textInNumber'),
  calculatedNumber: message<'column'>('fields.calculatedNumber'),
  declareColumn: message<'declaration'>('fields.declareColumn'),
  numbersInTable: message<'table'>('fields.numbersInTable'),
  makeNumber: message('fields.makeNumber'),
  noQuotes: message('fields.noQuotes'),
};

export const KINDS = {
  text: message('kinds.text'),
  number: message('kinds.number'),
  date: message('kinds.date'),
  boolean: message('kinds.boolean'),
  any: message('kinds.any'),
  theNumber: message<'value'>('kinds.theNumber'),
  theText: message<'value'>('kinds.theText'),
  needs: message<'given' | 'kind' | 'source' | 'taker'>('kinds.needs'),
  notCompared: message<'left' | 'one' | 'other' | 'right'>('kinds.notCompared'),
  differ: message<'name' | 'one' | 'other'>('kinds.differ'),
  notWritten: message<'given' | 'pattern'>('kinds.notWritten'),
};

export const ARITHMETIC = {
  byZero: message<'divisor' | 'value'>('arithmetic.byZero'),
  sayThen: message<'formula'>('arithmetic.sayThen'),
  empty: message<'formula' | 'source'>('arithmetic.empty'),
  fillIn: message<'formula'>('arithmetic.fillIn'),
  nothingAtPath: message<'column' | 'path'>('arithmetic.nothingAtPath'),
  tooLong: message<'most'>('arithmetic.tooLong'),
  textTooLong: message<'length' | 'most'>('arithmetic.textTooLong'),
};

export const DAYS = {
  tooFar: message<'date'>('days.tooFar'),
  wholeDays: message('days.wholeDays'),
  wholeDaysAndMonths: message('days.wholeDaysAndMonths'),
  noSuch: message<'shown'>('days.noSuch'),
};

export const ARGUMENTS = {
  decimals: message<'given' | 'least' | 'most'>('arguments.decimals'),
  taxInAmount: message<'rate'>('arguments.taxInAmount'),
  tooLargeForWords: message<'amount'>('arguments.tooLargeForWords'),
  priceDecimals: message('arguments.priceDecimals'),
  priceBase: message<'base'>('arguments.priceBase'),
  filler: message<'filler'>('arguments.filler'),
  position: message<'given' | 'least'>('arguments.position'),
};

export const UNITS = {
  noCode: message<'list' | 'text'>('units.noCode'),
  unknown: message<'text'>('units.unknown'),
  ownTable: message<'lookup'>('units.ownTable'),
};

export const IDENTIFIERS = {
  noSirenSiretVat: message<'text'>('identifiers.noSirenSiretVat'),
  noSirenSiret: message<'text'>('identifiers.noSirenSiret'),
  sirenDigits: message('identifiers.sirenDigits'),
  duiDigits: message('identifiers.duiDigits'),
  noDui: message<'text'>('identifiers.noDui'),
};

export const SHARES = {
  noRow: message('shares.noRow'),
  useInside: message('shares.useInside'),
  tooFine: message<'places' | 'total'>('shares.tooFine'),
  roundTotal: message('shares.roundTotal'),
  nothing: message<'total'>('shares.nothing'),
  correctWeights: message('shares.correctWeights'),
};

export const ROW_ROWS = {
  blank: message<'row'>('row-rows.blank'),
  leaveBlankOut: message<'rule'>('row-rows.leaveBlankOut'),
  noKey: message<'row'>('row-rows.noKey'),
  fillElementIn: message('row-rows.fillElementIn'),
  fillKeyIn: message('row-rows.fillKeyIn'),
  besideBroken: message<'row'>('row-rows.besideBroken'),
  mayBelong: message<'row'>('row-rows.mayBelong'),
  correctRowOfAny: message<'row'>('row-rows.correctRowOfAny'),
  exportRowOfAny: message<'row'>('row-rows.exportRowOfAny'),
  correctRow: message<'row'>('row-rows.correctRow'),
  exportRow: message<'row'>('row-rows.exportRow'),
  exportAgain: message<'hint'>('row-rows.exportAgain'),
  totalsBeside: message('row-rows.totalsBeside'),
  notTogether: message<'key'>('row-rows.notTogether'),
  cameBack: message<'key' | 'row'>('row-rows.cameBack'),
  sortExport: message('row-rows.sortExport'),
  tooManyAnywhere: message<'mebi' | 'most'>('row-rows.tooManyAnywhere'),
  tooLarge: message<'count' | 'mebi' | 'most'>('row-rows.tooLarge'),
  tooManyElements: message<'count' | 'elements' | 'mebi' | 'most' | 'mostElements'>('row-rows.tooManyElements'),
  sortOrSplit: message('row-rows.sortOrSplit'),
  keyOrSplit: message('row-rows.keyOrSplit'),
  totals: message<'row' | 'text'>('row-rows.totals'),
  leaveTotalsOut: message<'rule'>('row-rows.leaveTotalsOut'),
  notTheSame: message<'one' | 'other'>('row-rows.notTheSame'),
  onRow: message<'row' | 'text'>('row-rows.onRow'),
  identical: message<'first' | 'row'>('row-rows.identical'),
  moreIdentical: message<'count' | 'message'>('row-rows.moreIdentical'),
  whichIdentical: message('row-rows.whichIdentical'),
  andOneRow: message<'message' | 'row'>('row-rows.andOneRow'),
  andMoreRows: message<'count' | 'message'>('row-rows.andMoreRows'),
  fillDown: message('row-rows.fillDown'),
  cellOrEach: message('row-rows.cellOrEach'),
  damagedList: message<'list'>('row-rows.damagedList'),
  writeList: message<'sample'>('row-rows.writeList'),
};

export const DOCUMENT = {
  empty: message('document.empty'),
  fillIn: message('document.fillIn'),
  noClass: message('document.noClass'),
  unknownClass: message<'kind' | 'name'>('document.unknownClass'),
  classes: message<'classes'>('document.classes'),
  noIdentity: message('document.noIdentity'),
  fillNumberIn: message('document.fillNumberIn'),
  check: message<'says'>('document.check'),
  checkWith: message<'says' | 'sides'>('document.checkWith'),
  cellIs: message<'name' | 'text'>('document.cellIs'),
  valueIs: message<'name' | 'text'>('document.valueIs'),
  valueEmpty: message<'name'>('document.valueEmpty'),
  inRow: message<'cells' | 'row'>('document.inRow'),
  moreFaults: message<'count'>('document.moreFaults'),
  correctFirst: message('document.correctFirst'),
};

export const HEADER = {
  other: message<'count' | 'has' | 'shown' | 'there'>('header.other'),
  fileHas: message<'file'>('header.fileHas'),
  filesHave: message<'first' | 'second'>('header.filesHave'),
  none: message('header.none'),
  only: message<'count'>('header.only'),
  correctHeader: message('header.correctHeader'),
  elsewhere: message<'header' | 'row'>('header.elsewhere'),
  moveHeader: message<'header' | 'row'>('header.moveHeader'),
  noColumn: message<'has' | 'name'>('header.noColumn'),
  columnTwice: message<'file' | 'name' | 'times'>('header.columnTwice'),
  rename: message('header.rename'),
  empty: message('header.empty'),
  meant: message<'near'>('header.meant'),
  its: message<'names'>('header.its'),
};

export const CONTROLS = {
  documents: message('controls.documents'),
  rows: message('controls.rows'),
  sum: message<'name'>('controls.sum'),
  missing: message<'says'>('controls.missing'),
  cut: message<'held'>('controls.cut'),
  held: message('controls.held'),
  twice: message<'again' | 'row' | 'says'>('controls.twice'),
  joined: message<'held'>('controls.joined'),
  notANumber: message<'says' | 'text'>('controls.notANumber'),
  correctValue: message<'held'>('controls.correctValue'),
  notChecked: message<'at' | 'expected' | 'row' | 'says'>('controls.notChecked'),
  untilRight: message<'held' | 'row'>('controls.untilRight'),
  differs: message<'expected' | 'row' | 'says' | 'total'>('controls.differs'),
  compare: message<'held'>('controls.compare'),
};

export const COMPANIONS = {
  notAllowed: message<'name' | 'patterns'>('companions.notAllowed'),
  notPlain: message<'name'>('companions.notPlain'),
  correctName: message('companions.correctName'),
  missing: message<'name'>('companions.missing'),
  dropFirst: message('companions.dropFirst'),
};

export const UNREAD = {
  one: message<'path'>('unread.one'),
  several: message<'count' | 'paths'>('unread.several'),
  andMore: message<'list' | 'more'>('unread.andMore'),
  otherCurrency: message<'attribute' | 'count' | 'given' | 'own' | 'path'>('unread.otherCurrency'),
  oneCurrency: message<'own'>('unread.oneCurrency'),
  readThem: message('unread.readThem'),
  refused: message('unread.refused'),
};
