/** The package's name; a test compares it with package.json, which would otherwise be bundled whole into the Worker. */
export const name = 'janji';
export const version = '0.1.0';
