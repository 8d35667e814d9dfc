import { Sentence } from '../../shared/ui/States.tsx';
import { notes } from '../data/act.ts';
import { conflictText } from './Ask.tsx';

/** Why the last action on a booking failed: who was first, or the service's message. */
export const NotDone = ({ id }: { id: string }) => {
  const note = notes.value.get(id);
  if (note?.failure === undefined) return null;
  return (
    <p role="alert">{note.conflict ? conflictText(note.conflict) : <Sentence failure={note.failure} />}</p>
  );
};
