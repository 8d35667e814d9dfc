import { person } from '../shared/api/session.ts';

/** The name of the patient where this is not the person who is logged in: one account books for a whole family. */
export const otherName = ({ patient: { id, name } }: { patient: { id: string; name: string } }) =>
  id === person.value?.user.id ? null : name;
