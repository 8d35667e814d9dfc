import type { Schemas } from '../data/bookings.ts';
import { words } from '../words.ts';

type External = Partial<Pick<Schemas['AdminDoctor'], 'external_id' | 'metadata'>>;

/** What another system keeps with a record, as lines of a list of facts: nothing where it keeps nothing. */
export const otherSystemFacts = ({ external_id, metadata = {} }: External) =>
  [
    ...(external_id == null ? [] : [[words.value.externalId, external_id] as const]),
    ...Object.entries(metadata),
  ] as readonly (readonly [string, string])[];

/** The same below the form of a record. */
export const OtherSystem = ({ record }: { record: External }) => {
  const facts = otherSystemFacts(record);
  if (facts.length === 0) return null;
  return (
    <details>
      <summary>{words.value.otherSystem}</summary>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};
