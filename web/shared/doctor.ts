/** The text fields of a doctor, in the order of a form. */
export const doctorFields = ['title', 'name', 'specialty'] as const;
export type DoctorField = (typeof doctorFields)[number];

export const fullName = ({ title, name }: { title: string; name: string }): string =>
  [title, name].filter(Boolean).join(' ');

/** What stands below a doctor's name. */
export const practiceText = (doctor: { specialty: string } | undefined): string => doctor?.specialty ?? '';

/** dr. Budi Santoso → dr. Budi, Prof. Dr. dr. Siti Rahayu → Prof. Siti: fits in a column. */
export const shortDoctor = (name: string): string => {
  const words = name.split(' ');
  const [title = name] = words;
  const first = words.find((word) => !word.endsWith('.'));
  return first === undefined || first === title ? title : `${title} ${first}`;
};
