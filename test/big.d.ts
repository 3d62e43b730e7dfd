/** The part of big.js that tests use as a witness; the package ships without types. */
declare module 'big.js' {
  class Big {
    static DP: number;
    static RM: number;
    static PE: number;
    static NE: number;
    static readonly roundHalfUp: 1;
    constructor(value: string | number | Big);
    plus(other: Big | number | string): Big;
    minus(other: Big | number | string): Big;
    times(other: Big | number | string): Big;
    div(other: Big | number | string): Big;
    pow(exponent: number): Big;
    round(places: number): Big;
    abs(): Big;
    eq(other: Big | number | string): boolean;
    lt(other: Big | number | string): boolean;
    cmp(other: Big | number | string): -1 | 0 | 1;
    toFixed(places?: number): string;
  }
  export default Big;
}
