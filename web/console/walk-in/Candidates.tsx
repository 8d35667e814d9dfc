import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import look from '../ui/page.module.css';
import { desk } from '../words/desk.ts';
import type { Chosen } from './chosen.ts';
import { describePatient } from './Patient.tsx';

interface CandidatesProps {
  candidates: readonly Schemas['PatientCandidate'][];
  onChoose: (one: Chosen) => void;
  onDifferent?: (() => void) | undefined;
}

/** Similar patients, so that nobody gets a second record by mistake. */
export const Candidates = ({ candidates, onChoose, onDifferent }: CandidatesProps) => {
  const text = desk.value.walkIn;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box}>
      <Banner kind="warning" role="alert">
        <h3>{text.duplicates}</h3>
        <p>{text.duplicatesText}</p>
        <ul class={look.list}>
          {candidates.map((one) => (
            <li key={one.id} class={`${look.line} ${look.spread}`}>
              <span>
                <b>{one.name}</b> {describePatient(one)}
              </span>
              <Button small aria-label={`${text.same}: ${one.name}`} onClick={() => onChoose(one)}>
                {text.same}
              </Button>
            </li>
          ))}
        </ul>
        {onDifferent && (
          <Button small look="quiet" onClick={onDifferent}>
            {text.different}
          </Button>
        )}
      </Banner>
    </div>
  );
};
