import { scopes } from '../../src/core/endpoint/endpoint.ts';
import { contracts } from '../../src/interface/contracts.ts';

/** What no contract of `/v1` says. */
const besides: Readonly<Record<string, string>> = {
  'catalog:read': 'the public reads as the reception sees them',
  'fhir:read': 'the reads and searches of [FHIR](interop.md)',
  'fhir:write': 'booking and changing by [FHIR](interop.md)',
  'antrean:write': 'every call of Mobile JKN',
};

const rowOf = (scope: string): string => {
  const routes = Object.values(contracts)
    .filter((contract) => contract.scope === scope)
    .map(({ method, path }) => [`${path} ${method}`, `\`${method.toUpperCase()} ${path}\``] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, route]) => route);
  const more = besides[scope];
  return `| \`${scope}\` | ${[...routes, ...(more === undefined ? [] : [more])].join(', ')} |`;
};

/** What each scope of an API key can call, as a table. */
const scopesTable = (): string =>
  ['| scope | what it can call |', '|---|---|', ...scopes.map(rowOf)].join('\n');

/** The page with the table of today. */
export const withScopes = (page: string): string =>
  page.replace(/\| scope \| what it can call \|\n(\|.*\n)+/, () => `${scopesTable()}\n`);
