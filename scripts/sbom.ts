// Prints what runs in production as a CycloneDX list: name, version, licence and hash of each package.
//
// npm's own `--omit=dev` leaves out a package of production that one of development uses as well (npm 11.19), so the
// whole list is taken and the lockfile's word for development decides. The client runs elsewhere, so it and what it
// alone uses are no part of the list.
import { execFileSync } from 'node:child_process';

interface Component {
  'bom-ref': string;
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

const components = bom.components.filter((component) => !isForDevelopment(component));
const kept = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));

process.stdout.write(`${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
