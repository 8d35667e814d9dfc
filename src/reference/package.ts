/** How the package calls itself; a test holds it to package.json, which would lie in the Worker as a whole. */
export const name = 'janji';
export const version = '0.1.0';
