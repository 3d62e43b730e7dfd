/** Generated from locales/<language>/yaml-files.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const YAML_LIMIT = {
  tooLarge: message<'size'>('yaml-limit.tooLarge'),
  tooLargeHint: message('yaml-limit.tooLargeHint'),
  notUtf8: message('yaml-limit.notUtf8'),
  notUtf8Hint: message('yaml-limit.notUtf8Hint'),
  tooDeep: message<'levels'>('yaml-limit.tooDeep'),
  tooDeepHint: message('yaml-limit.tooDeepHint'),
  aliases: message('yaml-limit.aliases'),
  writeOut: message('yaml-limit.writeOut'),
};

export const YAML_CONTENT = {
  directive: message('yaml-content.directive'),
  directiveHint: message('yaml-content.directiveHint'),
  cycle: message<'alias'>('yaml-content.cycle'),
  tag: message<'tag'>('yaml-content.tag'),
  remove: message('yaml-content.remove'),
  mergeKey: message('yaml-content.mergeKey'),
  mergeKeyHint: message('yaml-content.mergeKeyHint'),
  keyNotText: message('yaml-content.keyNotText'),
  keyNotTextHint: message('yaml-content.keyNotTextHint'),
  numberChanges: message<'source' | 'value'>('yaml-content.numberChanges'),
  numberChangesHint: message<'source'>('yaml-content.numberChangesHint'),
};

export const YAML_SYNTAX = {
  tab: message('yaml-syntax.tab'),
  tabHint: message('yaml-syntax.tabHint'),
  keyTwice: message<'key'>('yaml-syntax.keyTwice'),
  keyTwiceHint: message('yaml-syntax.keyTwiceHint'),
  tag: message<'tag'>('yaml-syntax.tag'),
  tagHint: message('yaml-syntax.tagHint'),
  dash: message('yaml-syntax.dash'),
  dashHint: message('yaml-syntax.dashHint'),
  colon: message<'text'>('yaml-syntax.colon'),
  colonInValue: message('yaml-syntax.colonInValue'),
  write: message<'text'>('yaml-syntax.write'),
  sign: message<'sign'>('yaml-syntax.sign'),
  writeQuoted: message<'text'>('yaml-syntax.writeQuoted'),
  writeOutput: message<'text'>('yaml-syntax.writeOutput'),
  indent: message('yaml-syntax.indent'),
  indentHint: message('yaml-syntax.indentHint'),
  quote: message('yaml-syntax.quote'),
  quoteHint: message('yaml-syntax.quoteHint'),
  bracket: message('yaml-syntax.bracket'),
  bracketHint: message('yaml-syntax.bracketHint'),
  unknown: message<'message'>('yaml-syntax.unknown'),
  unknownHint: message('yaml-syntax.unknownHint'),
};

export const YAML_SHAPE = {
  file: message('yaml-shape.file'),
  unknownKey: message<'key'>('yaml-shape.unknownKey'),
  meant: message<'near'>('yaml-shape.meant'),
  knownKeys: message<'keys'>('yaml-shape.knownKeys'),
  removeKey: message('yaml-shape.removeKey'),
  missing: message<'name'>('yaml-shape.missing'),
  wrong: message<'name' | 'problem'>('yaml-shape.wrong'),
  withoutQuotes: message('yaml-shape.withoutQuotes'),
  write: message<'text'>('yaml-shape.write'),
  expected: message<'expected' | 'found'>('yaml-shape.expected'),
  oneOf: message<'before' | 'last'>('yaml-shape.oneOf'),
  atMost: message<'count' | 'found' | 'limit' | 'unit'>('yaml-shape.atMost'),
  atLeast: message<'count' | 'found' | 'limit' | 'unit'>('yaml-shape.atLeast'),
  typedValue: message<'type' | 'value'>('yaml-shape.typedValue'),
};

export const YAML_TYPE = {
  nothing: message('yaml-type.nothing'),
  string: message('yaml-type.string'),
  number: message('yaml-type.number'),
  int: message('yaml-type.int'),
  boolean: message('yaml-type.boolean'),
  block: message('yaml-type.block'),
  array: message('yaml-type.array'),
};
