import about from '../../package.json' with { type: 'json' };

/** How the package calls itself. */
export const { name, version } = about;
