/**
 * Breaking changes that were decided since the last release, each with its reason: as `npm run api:changes` prints them.
 * Emptied by a release.
 */
export const accepted: Readonly<Record<string, string>> = {};
