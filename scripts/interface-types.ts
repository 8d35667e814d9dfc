import { createRequire } from 'node:module';

// The generator needs the compiler's programming interface, which TypeScript 7 has not yet: the client's package has
// both of its own.
const requireFromClient = createRequire(new URL('../client/package.json', import.meta.url));
const fromClient = (name: string): unknown => {
  try {
    return requireFromClient(name);
  } catch (error) {
    throw new Error(`${name} is not installed: run \`npm ci\` in the folder of the repository.`, {
      cause: error,
    });
  }
};

interface Generator {
  default: (document: object, options: { defaultNonNullable: boolean }) => Promise<object[]>;
  astToString: (nodes: object[]) => string;
}

/** The TypeScript types of an OpenAPI document, as openapi-typescript makes them. */
export const interfaceTypes = async (document: object): Promise<string> => {
  const { default: generate, astToString } = fromClient('openapi-typescript') as Generator;
  // A request may leave out fields that have a default.
  return astToString(await generate(document, { defaultNonNullable: false }));
};
