import type { Command } from 'commander';
import { addClinicsAdd } from './clinics-add.ts';
import { addClinicsChanges } from './clinics-change.ts';
import { addClinicsCopies } from './clinics-copies.ts';
import { addClinicsList, addClinicsShow } from './clinics-list.ts';
import { addClinicsOperator } from './clinics-operator.ts';
import { addClinicsSignups } from './clinics-signups.ts';

/** `clinics`: the clinics of a deployment with CLINICS=files, or of one elsewhere. */
export const addClinics = (program: Command): void => {
  const clinics = program
    .command('clinics')
    .helpCommand(false)
    .summary('add, list and change the clinics of a deployment of many')
    .description(
      'Looks after the directory of a deployment with CLINICS=files, whether the service runs or not; with --at URL after that of a deployment elsewhere, on Node or on Workers (docs/clinics.md).',
    );
  addClinicsAdd(clinics);
  addClinicsList(clinics);
  addClinicsShow(clinics);
  addClinicsChanges(clinics);
  addClinicsCopies(clinics);
  addClinicsOperator(clinics);
  addClinicsSignups(clinics);
};
