/** The part of the package that is used; @types/negotiator does not declare the preferences. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    encodings<E extends string>(available: readonly E[], options: { preferred: readonly E[] }): E[];
  }
}
