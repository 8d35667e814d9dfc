import type { Schemas } from '../data/bookings.ts';
import { words } from '../words.ts';

type External = Partial<Pick<Schemas['AdminDoctor'], 'external_id' | 'metadata'>>;

/** The data that another system stores with a record, as lines of a description list; nothing if there are none. */
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
