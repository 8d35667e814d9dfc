// Prints the production packages as a CycloneDX list: name, version, licence and hash of each package.
//
// Native packages are dependencies; the others are bundled in dist/, and listed by its build.
import { execFileSync } from 'node:child_process';
import { buildNode } from './build-node.ts';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  properties?: { name: string; value: string }[];
}

interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

// The client is a package of this repository, and no part of the service.
const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--workspaces=false'];
const bom: Bom = JSON.parse(execFileSync('npm', ['sbom', ...options], { encoding: 'utf8' }));

const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const inDist = new Set((await buildNode({ write: false })).map(({ name, version }) => `${name}@${version}`));

const components = bom.components.filter(
  (component) => !isForDevelopment(component) || inDist.has(`${component.name}@${component.version}`),
);
const kept = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));

process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
